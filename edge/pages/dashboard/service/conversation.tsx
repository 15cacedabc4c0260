// One conversation with a customer: its messages, oldest first, and the reply.
import { useEffect, useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  ProblemNote,
  type ScreenProps,
  useApi,
  useCan,
  useForm,
  useFormats,
  useList,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { PageHead, Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { LongTextField } from '#edge/pages/design/field.tsx';
import type { Message } from '#proto/client/dashboard.ts';

const Bubble = ({ message }: { readonly message: Message }) => {
  const { moment } = useFormats();
  return (
    <li class={`message ${message.sender}`}>
      <b>{message.sender === 'store' ? 'Store' : 'Customer'}</b>{' '}
      <time class="soft" dateTime={message.created_at}>
        {moment(message.created_at)}
      </time>
      <p>{message.body ?? 'Deleted'}</p>
      {message.attachments.map(({ url, name }) => (
        <a key={url} href={url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ))}
    </li>
  );
};

export const Conversation = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const api = useApi();
  const list = useList((client, page) => client.messaging.threads.messages.list({ ...page, id }), 'messages', [id]);
  const newest = list.items.at(-1);
  const [subject, setSubject] = useState('Conversation');
  useEffect(() => {
    // A refused mark leaves the conversation unread, which the inbox shows.
    if (newest && can('messaging:write'))
      void api.messaging.threads
        .markRead({ id })
        .then(({ thread }) => setSubject(thread.subject))
        .catch(() => undefined);
  }, [newest?.id]);
  const form = useForm({
    saved: { body: '' },
    save: (client, { body }) => client.messaging.threads.messages.create({ id, body }),
    done: 'The reply is sent.',
    next: () => ({ body: '' }),
    after: ({ message }) => {
      if (!list.more) list.change((items) => [...items, message]);
    },
  });
  return (
    <>
      <PageHead title={subject} up={{ label: 'Messages', to: at('service', { kind: 'messages' }) }} />
      <Sheet title="Messages">
        <ol class="messages">
          {list.items.map((message) => (
            <Bubble key={message.id} message={message} />
          ))}
        </ol>
        {list.loading && <Skeleton lines={3} />}
        <ProblemNote problem={list.problem} again={list.more ?? list.refresh} />
        {list.more && (
          <div class="row">
            <Button press={list.more}>Show later messages</Button>
          </div>
        )}
      </Sheet>
      {can('messaging:write') && (
        <Sheet title="Reply">
          <FormSheet form={form} action="Send">
            <LongTextField label="Message" rows={4} {...form.field('body')} />
          </FormSheet>
        </Sheet>
      )}
    </>
  );
};
