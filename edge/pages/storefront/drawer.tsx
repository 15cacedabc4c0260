// A drawer that lists this page's API requests, each as a curl command and as client code to copy.
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiUrl, type OpenShop } from './client.ts';
import { clientSetupOf, type PageRequest, type SnippetContext } from './request_snippet.ts';

const OPEN = 'stoa-shop-drawer';
const COPIED_MS = 2_000;

const snippetContextOf = ({ api, setting }: OpenShop): SnippetContext => {
  const { credential, sessionId = '' } = api.shopper;
  const token = credential && 'access_token' in credential ? credential.access_token : null;
  return { url: apiUrl(setting), key: setting.key ?? '', sessionId, token };
};

const CopyableCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    const tell = (words: string): void => {
      setSaid(words);
      setTimeout(() => setSaid(''), COPIED_MS);
    };
    // Pages without HTTPS cannot access the clipboard.
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
  readonly requests: readonly PageRequest[];
}

const Requests = ({ shop, requests }: RequestsProps) => (
  <>
    <details>
      <summary>Set up the client first</summary>
      <CopyableCode label="the set-up of the client" text={clientSetupOf(snippetContextOf(shop))} />
    </details>
    {requests.length === 0 && <p class="soft">This screen has sent no request yet.</p>}
    {requests.map(({ operation, status, durationMs, curl, code }, at) => (
      <section key={`${operation}${requests.length - at}`}>
        <h3>
          {operation} <small>{status === 0 ? 'no answer' : status}</small> <small>{Math.round(durationMs)} ms</small>
        </h3>
        <CopyableCode label={`curl of ${operation}`} text={curl(snippetContextOf(shop))} />
        <CopyableCode label={`TypeScript of ${operation}`} text={code} />
      </section>
    ))}
  </>
);

export const Drawer = ({ shop }: { readonly shop: OpenShop }) => {
  const [requests, setRequests] = useState(shop.requests);
  const [open, setOpen] = useState(false);
  const isRead = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => shop.listen(() => setRequests(shop.requests())), [shop]);
  useEffect(() => {
    // The server does not know the state, so the first render leaves the drawer closed.
    if (!isRead.current) {
      isRead.current = true;
      setOpen(sessionStorage.getItem(OPEN) === 'yes');
      return;
    }
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
        <span aria-hidden="true">{open ? '×' : '</>'}</span> The requests behind this page ({requests.length})
      </button>
      <div id="requests" hidden={!open}>
        {open && <Requests shop={shop} requests={requests} />}
      </div>
    </aside>
  );
};
