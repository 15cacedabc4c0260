// One policy: its draft, its publication as a new version, and the versions before.
import { useState } from 'preact/hooks';
import {
  at,
  ProblemNote,
  type ScreenProps,
  textsOf,
  useCan,
  useDashboard,
  useFilters,
  useForm,
  useFormats,
  useRecord,
  useTranslation,
  WhenLoaded,
  wholeTranslationsOf,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Empty, Note, PageHead, Sheet, Tabs } from '#edge/pages/design/display.tsx';
import { LongTextField, TextField } from '#edge/pages/design/field.tsx';
import { type DashboardApi, type Policy, StoaError } from '#proto/client/dashboard.ts';
import { POLICY_NAMES, POLICY_TYPES, type PolicyKind } from './policy_name.ts';
import { ContentBadge } from './publication.tsx';

interface LoadedPolicy {
  readonly published: Policy | null;
  readonly draft: Policy | null;
}

const orNull = async (read: Promise<{ readonly policy: Policy }>): Promise<Policy | null> => {
  try {
    return (await read).policy;
  } catch (refused) {
    if (refused instanceof StoaError && refused.status === 404) return null;
    throw refused;
  }
};

const readPolicy = async (api: DashboardApi, type: PolicyKind): Promise<LoadedPolicy> => {
  const [published, draft] = await Promise.all([
    orNull(api.store.policies.get({ type })),
    orNull(api.store.policies.get({ type, draft: true })),
  ]);
  return { published, draft };
};

/** Names what the editor shows, since an unpublished draft has no version. */
const versionOf = ({ published, draft }: LoadedPolicy): string =>
  JSON.stringify([published?.version, draft?.title, draft?.body, draft?.translations]);

interface EditorProps extends LoadedPolicy {
  readonly type: PolicyKind;
  readonly refresh: () => void;
}

const Editor = ({ type, published, draft, refresh }: EditorProps) => {
  const [asked, ask] = useState(false);
  const shown = draft ?? published;
  const saved = {
    title: shown?.title ?? POLICY_NAMES[type],
    body: shown?.body ?? '',
    translations: textsOf(shown?.translations, ['title', 'body']),
    version: versionOf({ published, draft }),
  };
  const after = (): void => {
    ask(false);
    refresh();
  };
  const form = useForm({
    saved,
    save: (api, { title, body, ...texts }) =>
      api.store.policies.put({ type, title, body, ...wholeTranslationsOf(texts), publish: asked }),
    next: ({ policy }) => ({
      version: versionOf(asked ? { published: policy, draft: null } : { published, draft: policy }),
    }),
    done: asked ? 'The new version is published.' : 'The draft is saved.',
    after,
  });
  const { text, languageField } = useTranslation(form);
  const version = (published?.version ?? 0) + 1;
  return (
    <form class="stack" onSubmit={form.submit} noValidate>
      <Sheet title={draft ? 'Draft' : 'New version'}>
        {languageField}
        <TextField label="Title" required {...text('title')} />
        <LongTextField label="Text" rows={16} advice="Markdown." {...text('body')} />
      </Sheet>
      {!asked && <ProblemNote problem={form.problem} />}
      <div class="row">
        <Button submits busy={form.busy}>
          Save the draft
        </Button>
        <Button tone="primary" press={() => ask(true)}>
          Publish version {version}
        </Button>
        {form.dirty && <span class="soft">Not saved yet</span>}
      </div>
      {asked && (
        <Confirm
          title={`Publish version ${version}?`}
          action="Publish"
          danger={false}
          busy={form.busy}
          confirm={() => form.submit()}
          close={() => ask(false)}
        >
          <p>Your shop shows it at once. A published version never changes, and stays readable.</p>
          <ProblemNote problem={form.problem} />
        </Confirm>
      )}
    </form>
  );
};

const Version = ({ type, version }: { readonly type: PolicyKind; readonly version: number }) => {
  const { moment } = useFormats();
  const loaded = useRecord((api) => api.store.policies.get({ type, version }), [type, version]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ policy }) => (
        <Sheet title={`Version ${version}: ${policy.title}`}>
          {policy.published_at && <p class="soft">Published {moment(policy.published_at)}</p>}
          <div class="policy-text">{policy.body}</div>
        </Sheet>
      )}
    </WhenLoaded>
  );
};

const Versions = ({ type, newest }: { readonly type: PolicyKind; readonly newest: number }) => {
  const [query] = useFilters();
  const asked = Number(query.get('version'));
  const shown = Number.isInteger(asked) && asked >= 1 && asked <= newest ? asked : newest;
  return (
    <>
      <Tabs
        label="Published versions"
        tabs={Array.from({ length: newest }, (_, index) => newest - index).map((version) => ({
          label: `Version ${version}`,
          to: at(`content/policies/${type}`, { version }),
          current: version === shown,
        }))}
      />
      <Version type={type} version={shown} />
    </>
  );
};

const PolicyParts = ({ type }: { readonly type: PolicyKind }) => {
  const can = useCan();
  const { environment } = useDashboard();
  const loaded = useRecord((api) => readPolicy(api, type), [type]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ published, draft }) => (
        <div class="stack content">
          <PageHead
            title={POLICY_NAMES[type]}
            up={{ label: 'Policies', to: at('content', { kind: 'policies' }) }}
            badge={
              <>
                {published && <ContentBadge status="published" />} {draft && <ContentBadge status="draft" />}
              </>
            }
          />
          {environment === 'sandbox' && (
            <Note>The sandbox shows the policies of production. Switch to production to change them.</Note>
          )}
          {environment === 'production' && can('store:write') && (
            <Editor type={type} published={published} draft={draft} refresh={loaded.refresh} />
          )}
          {published?.version && <Versions type={type} newest={published.version} />}
          {!published && !can('store:write') && <Empty title="Not published yet" icon="content" />}
        </div>
      )}
    </WhenLoaded>
  );
};

export const PolicyScreen = ({ params }: ScreenProps) => {
  const type = POLICY_TYPES.find((each) => each === params.type);
  if (!type) return <Empty title="There is no such policy" icon="content" />;
  return <PolicyParts key={type} type={type} />;
};
