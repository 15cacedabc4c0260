// Wraps the HTML of a mail in a page of tables that mail programs of telephones and desks can show, in the store's colours.
// Pure.
import type { MailStore } from './variable.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const DEFAULT_COLOUR = '#175c43';

const colourOf = (colour: string | null | undefined): string => (colour && HEX.test(colour) ? colour : DEFAULT_COLOUR);

/** Returns black or white, the one with more contrast to the colour. */
const inkOn = (colour: string): string => {
  const digits = colour.length === 4 ? colour.replace(/[0-9a-f]/gi, '$&$&') : colour;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? '#000000' : '#ffffff';
};

const FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const styleOf = (colour: string): string => `
body{margin:0;padding:0;background:#f4f3f0;color:#22201c;font:16px/1.5 ${FONT}}
table{border-collapse:collapse}
.sheet{width:100%;max-width:600px;background:#ffffff;border-radius:12px}
.inside{padding:28px 32px}
h1{margin:0 0 16px;font-size:24px;line-height:1.25}
h2{margin:24px 0 8px;font-size:17px}
p{margin:0 0 16px}
a{color:inherit}
.items{width:100%;margin:0 0 16px}
.items td{padding:8px 0;border-bottom:1px solid #e3e0d9;vertical-align:top}
.items td.amount{text-align:right;white-space:nowrap;padding-left:16px}
.items tr.total td{font-weight:bold}
.button a{display:inline-block;padding:14px 24px;border-radius:8px;background:${colour};color:${inkOn(colour)};font-weight:bold;text-decoration:none}
.code{font-size:28px;letter-spacing:4px;font-weight:bold}
.written{white-space:pre-line;padding-left:16px;border-left:3px solid #e3e0d9}
.foot{padding:16px 32px 28px;color:#6b675f;font-size:13px}
@media (max-width:640px){.inside{padding:24px 20px}.foot{padding:16px 20px 24px}}
@media (prefers-color-scheme:dark){body{background:#161512;color:#f2eee6}.sheet{background:#22201c}.items td{border-color:#403c35}.foot{color:#a8a296}}
`;

const isWebUrl = (address: string | null): address is string => {
  const protocol = URL.parse(address ?? '')?.protocol;
  return protocol === 'https:' || protocol === 'http:';
};

const headOf = ({ name, logo_url, website_url }: MailStore): string => {
  const shown = isWebUrl(logo_url)
    ? `<img src="${escapeHtml(logo_url)}" alt="${escapeHtml(name)}" height="40" style="height:40px;border:0">`
    : `<strong style="font-size:18px">${escapeHtml(name)}</strong>`;
  return isWebUrl(website_url)
    ? `<a href="${escapeHtml(website_url)}" style="text-decoration:none">${shown}</a>`
    : shown;
};

export interface MailPage {
  readonly language: string;
  readonly subject: string;
  /** HTML between the store's head and foot. */
  readonly content: string;
  readonly store: MailStore;
  readonly unsubscribe: { readonly url: string; readonly label: string } | null;
}

export const mailPage = ({ language, subject, content, store, unsubscribe }: MailPage): string => {
  const foot = [
    escapeHtml(store.name),
    ...(store.contact_email
      ? [`<a href="mailto:${escapeHtml(store.contact_email)}">${escapeHtml(store.contact_email)}</a>`]
      : []),
    ...(unsubscribe ? [`<a href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.label)}</a>`] : []),
  ].join(' · ');
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${styleOf(colourOf(store.colours.primary_color))}</style>
</head>
<body>
<table role="presentation" width="100%"><tr><td align="center" style="padding:20px 10px">
<table role="presentation" class="sheet"><tr><td class="inside" align="left">
<p>${headOf(store)}</p>
${content.trim()}
</td></tr><tr><td class="foot" align="left">${foot}</td></tr></table>
</td></tr></table>
</body>
</html>
`;
};
