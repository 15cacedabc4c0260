// The kinds of mails: which are sent, and which the store has changed.
import { at, useRecord, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Badge, Sheet } from '#edge/pages/design/display.tsx';
import type { MailTemplateSource } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';
import { mailName, mailState } from './mail_wording.ts';

const Kind = ({ kind, enabled, changed }: Pick<MailTemplateSource, 'kind' | 'enabled' | 'changed'>) => (
  <li>
    <a href={at(`settings/mails/${kind}`)}>{mailName(kind)}</a>
    <span class="row">
      {changed && <Badge tone="warn">Changed</Badge>}
      <Badge tone={enabled ? 'go' : 'plain'}>{mailState({ enabled })}</Badge>
    </span>
  </li>
);

export const MailList = () => {
  const loaded = useRecord((api) => api.mailTemplates.list({ fields: ['kind', 'enabled', 'changed', 'editable'] }), []);
  return (
    <>
      <SettingsHead title="Mails" />
      <WhenLoaded loaded={loaded}>
        {({ mail_templates }) => (
          <Sheet>
            <ul class="mail-kinds">
              {mail_templates
                .filter(({ editable }) => editable)
                .map((template) => (
                  <Kind key={template.kind} {...template} />
                ))}
            </ul>
          </Sheet>
        )}
      </WhenLoaded>
    </>
  );
};
