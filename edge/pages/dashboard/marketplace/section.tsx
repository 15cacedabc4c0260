// One section: its name, and its members in the order in which the marketplace shows them.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  go,
  ProblemNote,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, MarketplaceMerchant, Section } from '#proto/client/dashboard.ts';
import { MemberFinder } from './member_finder.tsx';
import { merchantName, readMerchants } from './merchant.ts';
import { itemOf, type Member, memberKey, membersOf, readNames, type SectionKind } from './section_member.ts';

const KINDS = [
  { value: 'product', label: 'Products' },
  { value: 'promotion', label: 'Promotions' },
  { value: 'merchant', label: 'Merchants' },
] as const satisfies readonly { readonly value: SectionKind; readonly label: string }[];

interface SectionDraft {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly placement_kind: SectionKind;
  readonly members: readonly Member[];
  /** The `updated_at` of the section that the draft began from; empty for a new one. */
  readonly version: string;
}

const LABELS = { name: 'Name', description: 'Description', members: 'Members' };

const EMPTY: SectionDraft = {
  slug: '',
  name: '',
  description: '',
  placement_kind: 'product',
  members: [],
  version: '',
};

const draftOf = (section: Section): SectionDraft => ({
  slug: section.slug,
  name: section.name,
  description: section.description ?? '',
  placement_kind: section.placement_kind,
  members: membersOf(section),
  version: section.updated_at,
});

interface FormProps {
  readonly saved: SectionDraft;
  readonly isNew: boolean;
  readonly merchants: readonly MarketplaceMerchant[];
  readonly names: ReadonlyMap<string, string>;
  readonly after: (slug: string) => void;
}

const SectionForm = ({ saved, isNew, merchants, names, after }: FormProps) => {
  const isEditable = useCan()('content:write');
  const [known, setKnown] = useState(names);
  const form = useForm({
    saved,
    save: (api, { slug, name, description, placement_kind, members, version }) =>
      api.marketplace.collections.put({
        slug: slug.trim(),
        name,
        description: description.trim() === '' ? null : description,
        placement_kind,
        items: members.map((member) => itemOf(placement_kind, member)),
        ...(version === '' ? {} : { version }),
      }),
    reload: async (api) => {
      const { section, names: added } = await readSection(api, saved.slug);
      setKnown(new Map([...known, ...added]));
      return draftOf(section);
    },
    next: ({ collection }) => ({ version: collection.updated_at }),
    done: 'The section is saved.',
    after: ({ collection }) => after(collection.slug),
  });
  const { members, placement_kind: kind } = form.draft;
  const set = (next: readonly Member[]): void => form.set({ members: next });
  const nameOf = (member: Member): string =>
    known.get(memberKey(member)) ?? (member.id === null ? merchantName(merchants, member.store) : 'Not shown now');
  const selling = merchants.filter(({ suspended, lapsed }) => !(suspended || lapsed));
  return (
    <FormSheet form={form} labels={LABELS} action={isNew ? 'Create' : 'Save'} canSave={isEditable}>
      <Sheet>
        <TextField label="Name" required {...form.field('name')} />
        {isNew && (
          <div class="columns">
            <TextField label="Address" required advice="Such as for-rainy-days." {...form.field('slug')} />
            <SelectField
              label="Shows"
              options={KINDS}
              value={kind}
              change={(value) => {
                const chosen = KINDS.find((each) => each.value === value);
                if (chosen) form.set({ placement_kind: chosen.value, members: [] });
              }}
            />
          </div>
        )}
        <LongTextField label="Description" {...form.field('description')} />
      </Sheet>
      <Sheet title="Members">
        {isEditable && selling.length > 0 && (
          <MemberFinder
            key={kind}
            kind={kind}
            merchants={selling}
            chosen={new Set(members.map(memberKey))}
            add={({ member, name }) => {
              setKnown(new Map(known).set(memberKey(member), name));
              set([...members, member]);
            }}
          />
        )}
        {members.length === 0 && <p class="soft">Nothing is in it yet.</p>}
        <DragList label="Members in order" items={members} idOf={memberKey} nameOf={nameOf} move={set}>
          {(member) => (
            <div class="row between">
              <span class="row">
                {nameOf(member)}
                {member.id !== null && <Badge>{merchantName(merchants, member.store)}</Badge>}
              </span>
              {isEditable && (
                <IconButton
                  icon="remove"
                  label={`Remove ${nameOf(member)}`}
                  press={() => set(members.filter((each) => each !== member))}
                />
              )}
            </div>
          )}
        </DragList>
      </Sheet>
    </FormSheet>
  );
};

const Remove = ({ slug, name }: Pick<Section, 'slug' | 'name'>) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const done = await write.run((api) => api.marketplace.collections.delete({ slug }), {
      done: `${name} is deleted.`,
    });
    if (done) go(at('sections'));
  };
  return (
    <>
      <Button tone="danger" press={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the section"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>Its members stay at their merchants. The section cannot be brought back.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

const readSection = async (api: DashboardApi, slug: string) => {
  const [{ collection: section }, merchants] = await Promise.all([
    api.marketplace.collections.get({ slug, hidden: true }),
    readMerchants(api),
  ]);
  return { section, merchants, names: await readNames(api, section) };
};

export const SectionScreen = ({ params: { slug = '' } }: ScreenProps) => {
  const can = useCan();
  const loaded = useRecord((api) => readSection(api, slug), [slug]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ section, merchants, names }) => (
        <div class="stack">
          <PageHead title={section.name} up={{ label: 'Sections', to: at('sections') }}>
            {can('content:write') && <Remove slug={section.slug} name={section.name} />}
          </PageHead>
          <SectionForm
            saved={draftOf(section)}
            isNew={false}
            merchants={merchants}
            names={names}
            after={loaded.refresh}
          />
        </div>
      )}
    </WhenLoaded>
  );
};

export const NewSection = () => {
  const loaded = useRecord(readMerchants, []);
  return (
    <div class="stack">
      <PageHead title="New section" up={{ label: 'Sections', to: at('sections') }} />
      <WhenLoaded loaded={loaded}>
        {(merchants) => (
          <SectionForm
            saved={EMPTY}
            isNew
            merchants={merchants}
            names={new Map()}
            // The form's guard ends with the draft that was saved.
            after={(slug) => setTimeout(() => go(at(`sections/${slug}`)))}
          />
        )}
      </WhenLoaded>
    </div>
  );
};
