// The requests behind this page, in a drawer beside it: each as a curl command and as the client's call, to be copied.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Exchange } from '#proto/client/storefront.ts';
import { apiUrl, type OpenShop } from './client.ts';
import { codeOf, curlOf, openingOf, type Speaker } from './spoken.ts';

const OPEN = 'stoa-shop-drawer';
const COPIED_MS = 2_000;

const speakerOf = ({ api, setting }: OpenShop): Speaker => {
  const { credential, sessionId = '' } = api.shopper;
  const token = credential && 'access_token' in credential ? credential.access_token : null;
  return { url: apiUrl(setting), key: setting.key ?? '', sessionId, token };
};

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    const tell = (words: string): void => {
      setSaid(words);
      setTimeout(() => setSaid(''), COPIED_MS);
    };
    // A page without https has no clipboard.
    (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('closed'))).then(
      () => tell('Copied'),
      () => tell('Select it and copy'),
    );
  };
  return (
    <div class="copied">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={copy} aria-label={said || `Copy ${label}`}>
        {said || 'Copy'}
      </button>
    </div>
  );
};

interface RequestsProps {
  readonly shop: OpenShop;
  readonly exchanges: readonly Exchange[];
}

const Requests = ({ shop, exchanges }: RequestsProps) => (
  <>
    <details>
      <summary>How the code below begins</summary>
      <Copied label="how the code begins" text={openingOf(speakerOf(shop))} />
    </details>
    {exchanges.length === 0 && <p class="soft">Nothing was asked of the API since this screen was opened.</p>}
    {exchanges.map((exchange, at) => (
      <section key={`${exchange.requestId}${exchanges.length - at}`}>
        <h3>
          {exchange.operation} <small>{exchange.status === 0 ? 'no answer' : exchange.status}</small>{' '}
          <small>{Math.round(exchange.durationMs)} ms</small>
        </h3>
        <Copied label={`curl of ${exchange.operation}`} text={curlOf(exchange, speakerOf(shop))} />
        <Copied label={`TypeScript of ${exchange.operation}`} text={codeOf(exchange)} />
      </section>
    ))}
  </>
);

export const Drawer = ({ shop }: { readonly shop: OpenShop }) => {
  const [exchanges, setExchanges] = useState(shop.exchanges);
  const [open, setOpen] = useState(sessionStorage.getItem(OPEN) === 'yes');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => shop.listen(() => setExchanges(shop.exchanges())), [shop]);
  useEffect(() => {
    document.body.classList.toggle('beside', open);
    sessionStorage.setItem(OPEN, open ? 'yes' : 'no');
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <aside
      class="drawer"
      aria-label="The requests behind this page"
      onKeyDown={({ key }) => key === 'Escape' && open && close()}
    >
      <button
        ref={button}
        type="button"
        class="handle"
        aria-expanded={open}
        aria-controls="requests"
        onClick={() => setOpen(!open)}
      >
        <span aria-hidden="true">{open ? '×' : '</>'}</span> The requests behind this page ({exchanges.length})
      </button>
      <div id="requests" hidden={!open}>
        {open && <Requests shop={shop} exchanges={exchanges} />}
      </div>
    </aside>
  );
};
