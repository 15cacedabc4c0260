// The requests behind this page: each as a curl command and as the client's call, to be copied.
import { useEffect, useState } from 'preact/hooks';
import type { Exchange } from '#proto/client/storefront.ts';
import type { OpenShop } from './client.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curlOf = ({ method, url, body }: Exchange, shop: OpenShop): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    `-H ${quoted(`Authorization: Bearer ${shop.setting.key}`)}`,
    `-H ${quoted(`X-Session-Id: ${shop.api.shopper.sessionId}`)}`,
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');

const codeOf = ({ name, request }: Exchange): string => {
  const said = request && Object.keys(request).length > 0 ? JSON.stringify(request, null, 2) : '';
  return `await shop.${name}(${said});`;
};

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [done, setDone] = useState(false);
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}>
        {done ? 'Copied' : `Copy ${label}`}
      </button>
    </div>
  );
};

export const Drawer = ({ shop }: { readonly shop: OpenShop }) => {
  const [exchanges, setExchanges] = useState(shop.exchanges);
  useEffect(() => shop.listen(() => setExchanges(shop.exchanges())), [shop]);
  return (
    <details class="drawer">
      <summary>The requests behind this page ({exchanges.length})</summary>
      {exchanges.map((exchange, at) => (
        <section key={`${exchange.requestId}${at}`}>
          <h3>
            {exchange.operation} <small>{exchange.status === 0 ? 'no answer' : exchange.status}</small>
          </h3>
          <Copied label="curl" text={curlOf(exchange, shop)} />
          <Copied label="TypeScript" text={codeOf(exchange)} />
        </section>
      ))}
    </details>
  );
};
