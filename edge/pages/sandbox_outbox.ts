// Serves `/sandbox/outbox`, where a developer reads the mails that a sandbox would have sent and opens their links. The
// page calls the API with the secret test key that the developer types.
import { createHash } from 'node:crypto';
import { commonHeaders } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { COLOURS } from './colour.ts';
import { MAIL_PREVIEW_PATH } from './mail_preview.ts';

export const OUTBOX_PATH = '/sandbox/outbox';

const STYLE = `${COLOURS}*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;padding:2rem 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;display:grid;gap:1.25rem}
h1{margin:0;font-size:1.5rem}
h2{margin:0;font-size:1.0625rem;overflow-wrap:anywhere}
p{margin:0}
.soft{color:var(--soft);font-size:.9375rem}
.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:1rem;padding:1.25rem 1.5rem;display:grid;gap:.75rem}
form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}
label{display:grid;gap:.25rem;flex:1 1 14rem;font-size:.875rem;color:var(--soft)}
input{min-height:44px;padding:.6rem .75rem;border:1px solid var(--strong);border-radius:.6rem;background:var(--background);color:var(--ink);font:inherit}
button,a.act{display:inline-block;min-height:44px;padding:.6rem 1rem;border:1px solid var(--strong);border-radius:.6rem;background:transparent;color:var(--ink);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button.go,a.go{border-color:var(--go);background:var(--go);color:var(--on-go)}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
#messages{display:grid;gap:1.25rem;margin:0;padding:0;list-style:none}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.code{font:700 1.75rem/1.2 ui-monospace,monospace;letter-spacing:.15em}
pre{margin:0;padding:.75rem 1rem;background:var(--background);border-radius:.6rem;white-space:pre-wrap;overflow-wrap:anywhere;font:.875rem/1.5 ui-monospace,monospace}
iframe{width:100%;height:28rem;border:1px solid var(--line);border-radius:.6rem;background:#fff}
summary{min-height:44px;padding:.6rem 0;cursor:pointer}
.wrong{color:var(--no);font-weight:600}
`;

const SCRIPT = `
const one = (id) => document.getElementById(id);
const key = one('key'), email = one('email'), list = one('messages'), note = one('note');
const token = new URLSearchParams(location.search).get('token');
key.value = sessionStorage.getItem('key') || '';
const make = (name, text, className) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
};
const say = (text, wrong) => { note.textContent = text; note.className = wrong ? 'wrong' : 'soft'; };
const ask = async (path, body) => {
  const headers = { Authorization: 'Bearer ' + key.value.trim() };
  if (body) headers['Content-Type'] = 'application/json';
  const reply = await fetch(path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
  return { ok: reply.ok, body: await reply.json() };
};
const frames = new Map();
addEventListener('message', ({ source }) => {
  for (const [frame, html] of frames) if (frame.contentWindow === source) source.postMessage(html, '*');
});
const framed = (html) => {
  const frame = make('iframe');
  frame.title = 'Mail';
  frame.loading = 'lazy';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = '${MAIL_PREVIEW_PATH}';
  frames.set(frame, html);
  return frame;
};
const leads = (link) => /^https?:$/.test(new URL(link).protocol);
const shown = (message) => {
  const item = make('li', '', 'sheet');
  item.append(make('h2', message.subject));
  item.append(make('p', 'To ' + message.to + ', ' + new Date(message.created_at).toLocaleString(), 'soft'));
  if (message.code) item.append(make('p', message.code, 'code'));
  const text = make('pre', message.text.trim());
  const plain = make('details');
  plain.append(make('summary', 'As text'), text);
  item.append(framed(message.html), plain);
  if (message.link && leads(message.link)) {
    const acts = make('div', '', 'acts');
    const open = make('a', 'Open the link', 'act go');
    open.href = message.link;
    open.rel = 'noreferrer';
    const here = make('a', 'Use it here', 'act');
    here.href = '?token=' + encodeURIComponent(new URL(message.link).searchParams.get('token') || '');
    acts.append(open, here);
    item.append(acts);
  }
  return item;
};
let last = '';
const read = async () => {
  if (!key.value.trim()) return say('Enter the secret test key of a store.');
  const wanted = email.value.trim();
  try {
    const { ok, body } = await ask('/v1/sandbox/messages' + (wanted ? '?email=' + encodeURIComponent(wanted) : ''));
    if (!ok) { list.replaceChildren(); last = ''; return say(body.error.message + ' ' + (body.error.hint || ''), true); }
    sessionStorage.setItem('key', key.value.trim());
    const text = JSON.stringify(body.messages);
    if (text !== last) {
      frames.clear();
      list.replaceChildren(...body.messages.map(shown));
    }
    last = text;
    say(body.messages.length ? 'The newest ' + body.messages.length + ', newest first.' : 'The sandbox has sent no mail yet.');
  } catch { say('The API does not answer.', true); }
};
one('filter').addEventListener('submit', (event) => { event.preventDefault(); read(); });
setInterval(() => { if (!document.hidden && key.value.trim()) read(); }, 5000);
if (token) {
  const resets = token.startsWith('pr_');
  one('redeem').hidden = false;
  one('new').hidden = !resets;
  one('redeem').addEventListener('submit', async (event) => {
    event.preventDefault();
    const path = '/v1/auth/' + (resets ? 'reset-password/confirm' : 'magic-link/verify');
    const answer = await ask(path, resets ? { token, password: one('password').value } : { token });
    one('answer').hidden = false;
    one('answer').textContent = 'POST ' + path + '\\n' + JSON.stringify(answer.body, null, 2);
  });
}
read();
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const OUTBOX_POLICY = [
  "default-src 'none'",
  `style-src ${hash(STYLE)}`,
  `script-src ${hash(SCRIPT)}`,
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const OUTBOX_DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox outbox</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sandbox outbox</h1>
<p class="soft">The mails that a store's sandbox would have sent. The key stays in this tab.</p>
<form id="redeem" class="sheet" hidden>
<p>The address of this page has the token of a mailed link.</p>
<label id="new" hidden>New password<input id="password" type="password" autocomplete="new-password" minlength="8"></label>
<button class="go">Use the token</button>
<pre id="answer" hidden></pre>
</form>
<form id="filter">
<label>Secret test key<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc_sk_test_…"></label>
<label>Only mail to<input id="email" type="email" autocomplete="off" placeholder="any address"></label>
<button class="go">Read</button>
</form>
<p id="note" class="soft" role="status"></p>
<ol id="messages"></ol>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

const body = new TextEncoder().encode(OUTBOX_DOCUMENT);

export const outboxPage = (context: RequestContext): Response => {
  const headers = {
    ...commonHeaders(context, 'text/html; charset=utf-8'),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': OUTBOX_POLICY,
    // The URL may contain a link's token.
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  };
  const isHead = context.request.method === 'HEAD';
  if (isHead) Object.assign(headers, { 'Content-Length': `${body.length}` });
  return new Response(isHead ? null : body, { headers });
};
