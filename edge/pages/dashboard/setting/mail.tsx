// One kind of mail: its template, whether it is sent, and a preview.
import { useState } from 'preact/hooks';
import { languageName } from '#edge/pages/dashboard/language_name.ts';
import {
  at,
  FormSheet,
  LanguageField,
  ProblemNote,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, TextField } from '#edge/pages/design/field.tsx';
import type { MailTemplateSource } from '#proto/client/dashboard.ts';
import { MailPreview } from './mail_preview.tsx';
import { mailName, mailState } from './mail_wording.ts';

const Variables = ({ variables }: Pick<MailTemplateSource, 'variables'>) => (
  <Sheet title="Variables">
    <p class="soft">Write them in double braces. A variable without a value is empty.</p>
    <dl class="mail-variables">
      {variables.map(({ name, example }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{example || '–'}</dd>
        </div>
      ))}
    </dl>
  </Sheet>
);

interface EditorProps {
  readonly template: MailTemplateSource;
  readonly set: (template: MailTemplateSource) => void;
}

const BackToBuiltIn = ({ template: { kind, language }, set }: EditorProps) => {
  const [asked, ask] = useState(false);
  const write = useWrite();
  const reset = async (): Promise<void> => {
    const answer = await write.run((api) => api.mailTemplates.delete({ kind, ...(language && { language }) }), {
      done: 'The template is built in again.',
    });
    if (answer) set(answer.mail_template);
  };
  return (
    <>
      <Button press={() => ask(true)}>Use the built-in template</Button>
      {asked && (
        <Confirm
          title="Use the built-in template?"
          action="Use it"
          busy={write.busy}
          confirm={() => void reset()}
          close={() => ask(false)}
        >
          <p>
            {language
              ? `Your changes of this template in ${languageName(language)} are deleted.`
              : 'Your changes of this template are deleted, in all languages.'}
          </p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

const LABELS = { subject: 'Subject', html: 'HTML', text: 'Text', enabled: 'Send these mails' };

const draftOf = ({ subject, html, text, enabled, updated_at }: MailTemplateSource) => ({
  subject,
  html,
  text,
  enabled,
  version: updated_at,
});

const Editor = ({ template, set }: EditorProps) => {
  const can = useCan();
  const { kind, language } = template;
  const form = useForm({
    saved: draftOf(template),
    save: (api, draft) => api.mailTemplates.put({ kind, language, ...draft }),
    done: 'The mail is saved.',
    reload: async (api) =>
      draftOf((await api.mailTemplates.get({ kind, ...(language && { language }) })).mail_template),
    after: ({ mail_template }) => set(mail_template),
  });
  return (
    <div class="stack mail-editor">
      <Sheet title="Template">
        <FormSheet form={form} canSave={can('mails:write')} labels={LABELS}>
          <CheckField label="Send these mails" {...form.field('enabled')} />
          <TextField label="Subject" {...form.field('subject')} />
          <LongTextField
            label="HTML"
            rows={14}
            advice="Stands between the store’s head and foot."
            {...form.field('html')}
          />
          <LongTextField label="Text" rows={10} advice="For readers without HTML." {...form.field('text')} />
        </FormSheet>
      </Sheet>
      <MailPreview key={template.updated_at} kind={kind} language={language} draft={form.draft} />
      <Variables variables={template.variables} />
    </div>
  );
};

const MailParts = ({ kind }: { readonly kind: string }) => {
  const can = useCan();
  const [language, setLanguage] = useState('');
  const loaded = useRecord((api) => api.mailTemplates.get({ kind, ...(language && { language }) }), [kind, language]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ mail_template: template }) => {
        const set = (mail_template: MailTemplateSource): void => loaded.set({ mail_template });
        return (
          <div class="stack mails">
            <PageHead
              title={mailName(kind)}
              up={{ label: 'Mails', to: at('settings/mails') }}
              badge={<Badge tone={template.enabled ? 'go' : 'plain'}>{mailState(template)}</Badge>}
            >
              {template.changed && can('mails:write') && <BackToBuiltIn template={template} set={set} />}
            </PageHead>
            {template.marketing && (
              <Note>Only readers who have not unsubscribed get these mails; each has a link to unsubscribe.</Note>
            )}
            <LanguageField value={language} change={setLanguage} />
            <Editor key={language} template={template} set={set} />
          </div>
        );
      }}
    </WhenLoaded>
  );
};

export const MailScreen = ({ params: { kind = '' } }: ScreenProps) => <MailParts key={kind} kind={kind} />;
