// A mail as its reader sees it, in a frame that runs no script of the mail.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ProblemNote, useFormats, useRecord, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { SelectField } from '#edge/pages/design/field.tsx';
import type { RenderedMailTemplate } from '#proto/client/dashboard.ts';
import { showsOrder } from './mail_wording.ts';

/** The path of `edge/pages/mail_preview.ts`. */
const FRAME = '/dashboard/mail-preview';
const ORDERS_MAX = 10;

const MailFrame = ({ html }: { readonly html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const hear = ({ source }: MessageEvent): void => {
      if (source === frame.current?.contentWindow) setReady(true);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    if (ready) frame.current?.contentWindow?.postMessage(html, '*');
  }, [ready, html]);
  return <iframe ref={frame} class="mail-frame" title="Mail" src={FRAME} sandbox="allow-scripts" />;
};

const OrderField = ({ value, change }: { readonly value: string; readonly change: (id: string) => void }) => {
  const { moment } = useFormats();
  const { value: read } = useRecord((api) => api.orders.list({ limit: ORDERS_MAX }), []);
  const orders = (read?.orders ?? []).map(({ id, order_number, created_at }) => ({
    value: id,
    label: `Order ${order_number}, ${moment(created_at)}`,
  }));
  return (
    <SelectField
      label="With"
      value={value}
      change={change}
      options={[{ value: '', label: 'Example data' }, ...orders]}
    />
  );
};

interface MailPreviewProps {
  readonly kind: string;
  /** Null for the store's default language. */
  readonly language: string | null;
  /** The parts as they are now, saved or not. */
  readonly draft: { readonly subject: string; readonly html: string; readonly text: string };
}

export const MailPreview = ({ kind, language, draft }: MailPreviewProps) => {
  const [order, setOrder] = useState('');
  const [shown, show] = useState<RenderedMailTemplate | null>(null);
  const write = useWrite();
  const render = async (order_id: string): Promise<void> => {
    const answer = await write.run((api) =>
      api.mailTemplates.preview({ kind, language, ...draft, ...(order_id && { order_id }) }),
    );
    if (answer) show(answer.preview);
  };
  useEffect(() => void render(''), []);
  return (
    <Sheet title="Preview">
      <div class="row">
        {showsOrder(kind) && (
          <OrderField
            value={order}
            change={(id) => {
              setOrder(id);
              void render(id);
            }}
          />
        )}
        <Button press={() => void render(order)} busy={write.busy}>
          Show the draft
        </Button>
      </div>
      <ProblemNote problem={write.problem} />
      {shown && (
        <>
          <p class="mail-subject">{shown.subject}</p>
          <MailFrame html={shown.html} />
          <details>
            <summary>As text</summary>
            <pre class="mail-text">{shown.text}</pre>
          </details>
        </>
      )}
    </Sheet>
  );
};
