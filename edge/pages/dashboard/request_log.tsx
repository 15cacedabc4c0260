// The calls that the screens have made: “The request behind this” shows the newest, ready to be sent from a shell.
import { useEffect, useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Badge } from '#edge/pages/design/display.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { Exchange } from '#proto/client/dashboard.ts';

const SHOWN_MAX = 30;

let exchanges: readonly Exchange[] = [];
const listeners = new Set<() => void>();

export const logExchange = (exchange: Exchange): void => {
  exchanges = [exchange, ...exchanges].slice(0, SHOWN_MAX);
  for (const tell of listeners) tell();
};

/** The same call with a key of one's own. */
export const curlOf = ({ method, url, body }: Exchange, origin: string, isSandbox: boolean): string => {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl -X ${method} ${quoted(new URL(url, origin).href)}`,
    `-H "Authorization: Bearer ${isSandbox ? '$STOA_TEST_KEY' : '$STOA_KEY'}"`,
  ];
  if (body !== null) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  return lines.join(' \\\n  ');
};

const useExchanges = (): readonly Exchange[] => {
  const [shown, show] = useState(exchanges);
  useEffect(() => {
    const tell = (): void => show(exchanges);
    tell();
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return shown;
};

const toneOf = (status: number) => (status === 0 || status >= 400 ? 'no' : 'go');

export const RequestPanel = ({ isSandbox, close }: { readonly isSandbox: boolean; readonly close: () => void }) => {
  const shown = useExchanges();
  return (
    <Dialog title="The request behind this" close={close} wide>
      <p class="soft">
        The dashboard calls the public API only. These are its last calls, newest first; with a key of yours in their
        place, they work in your own program.
      </p>
      <div class="stack requests">
        {shown.map((exchange, index) => (
          <details key={`${shown.length - index} ${exchange.url}`} open={index === 0}>
            <summary>
              <Badge tone={toneOf(exchange.status)}>{exchange.status || 'no answer'}</Badge>{' '}
              <code>{exchange.operation}</code> <small>{Math.round(exchange.durationMs)} ms</small>
            </summary>
            <pre>{curlOf(exchange, location.origin, isSandbox)}</pre>
            <Button
              press={() =>
                void navigator.clipboard
                  .writeText(curlOf(exchange, location.origin, isSandbox))
                  .then(() => toast('The command is copied.'))
              }
            >
              Copy
            </Button>
          </details>
        ))}
        {shown.length === 0 && <p>No call was made yet.</p>}
      </div>
      <div class="buttons">
        <Button press={close}>Close</Button>
      </div>
    </Dialog>
  );
};
