// The page on which a merchant lets an app work with their store, or does not. Pure.
import type { ConsentResponse } from '#proto/gen/connect.ts';
import { scopeLines } from './scope_wording.ts';
import { escaped, sheetDocument } from './sheet.ts';

export const connectDocument = ({
  store_name,
  client_name,
  environment,
  scopes,
  redirect_uri,
}: ConsentResponse): string => {
  const target = URL.parse(redirect_uri);
  const place = target?.host || target?.protocol || redirect_uri;
  return sheetDocument(
    `Connect ${client_name} to ${store_name}`,
    `${environment === 'sandbox' ? '<p class="test">Sandbox: test data alone.</p>' : ''}
<div class="sheet">
<h1><span class="who">${escaped(client_name)}</span> asks to work with <span class="who">${escaped(store_name)}</span></h1>
<p class="soft">If you allow it, this app may, until you end it:</p>
<ul class="scopes">${scopeLines(scopes)
      .map((line) => `<li>${escaped(line)}</li>`)
      .join('')}</ul>
<p class="soft">Either way you go on to ${escaped(place)}.</p>
<form method="post">
<button class="go" name="decision" value="allow">Allow</button>
<button class="no" name="decision" value="deny">Deny</button>
</form>
</div>`,
  );
};
