// Renders the page on which a merchant allows or denies an app access to the store. Pure.
import type { ConsentResponse } from '#proto/gen/connect.ts';
import { scopeLines } from './scope_wording.ts';
import { escaped, smallPageDocument } from './small_page_document.ts';

export const connectDocument = ({
  store_name,
  client_name,
  environment,
  scopes,
  redirect_uri,
}: ConsentResponse): string => {
  const target = URL.parse(redirect_uri);
  const place = target?.host || target?.protocol || redirect_uri;
  return smallPageDocument(
    `Connect ${client_name} to ${store_name}`,
    `${environment === 'sandbox' ? '<p class="test">Sandbox: test data only.</p>' : ''}
<div class="sheet">
<h1><span class="who">${escaped(client_name)}</span> asks to work with <span class="who">${escaped(store_name)}</span></h1>
<p class="soft">If you allow it, the app may do the following until you revoke its access:</p>
<ul class="scopes">${scopeLines(scopes)
      .map((line) => `<li>${escaped(line)}</li>`)
      .join('')}</ul>
<p class="soft">Both buttons lead to ${escaped(place)}.</p>
<form method="post">
<button class="go" name="decision" value="allow">Allow</button>
<button class="no" name="decision" value="deny">Deny</button>
</form>
</div>`,
  );
};
