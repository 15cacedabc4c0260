// The documentation's introduction, above the endpoints.
export const INTRODUCTION = `Catalogue, carts, orders, payments and delivery for many stores behind one API. The [guides](/docs/guides) lead through it step by step; this is the reference.

Amounts are numbers in major currency units (\`26.6\` is 26 dollars and 60 cents), names are \`snake_case\`, times are UTC in ISO 8601. A field that may be left out may be \`null\` as well; in a PATCH, \`null\` empties what may be empty.

## Keys

Every call but the public ones carries \`Authorization: Bearer <key>\`. The key picks the store and the environment:

| Key | For |
|---|---|
| \`svc_pk_live_…\`, \`svc_pk_test_…\` | publishable: what a shopper may do; may stand in a web page |
| \`svc_sk_live_…\`, \`svc_sk_test_…\` | secret: everything of one store; from a server only |
| \`svc_mk_live_…\`, \`svc_mk_test_…\` | operator: a marketplace over many stores |

A \`test\` key works in the sandbox, which shares no record with production. What belongs to a customer also needs their session: exactly one of \`x-auth-token\`, \`x-external-auth\` and \`x-idp-token\`.

## Errors

Every error has the same body, and its \`code\` is one of a closed list:

\`\`\`json
{ "error": { "code": "invalid_request", "message": "\`price\` must be a number.", "param": "price", "request_id": "req_5f2c9a" } }
\`\`\`

\`param\` names the first wrong field, \`hint\` says what to do, \`request_id\` is the answer's \`X-Request-Id\`. A 4xx has changed nothing. After a 500 or a lost connection the outcome is unknown: send the same request again with the same idempotency key. A 503 may be tried again after \`Retry-After\` seconds.

## Signing and idempotency

Any POST, PATCH, PUT or DELETE takes an \`Idempotency-Key\` of 1 to 255 printable ASCII characters. For 24 hours a retry with the same key and body gets the first answer again, with \`Idempotent-Replayed: true\`; another body under the same key is 409 \`idempotency_conflict\`.

Calls that move money or goods must carry the key and a signature:

\`\`\`js
const timestamp = Math.floor(Date.now() / 1000).toString();
const signature = crypto.createHmac('sha256', hmacSecret).update(\`\${timestamp}.\${body}\`).digest('base64');
// X-Timestamp: timestamp, X-Signature: signature, Idempotency-Key: crypto.randomUUID()
\`\`\`

\`body\` is exactly what is sent, \`hmacSecret\` the store's HMAC secret of the environment. The timestamp is within 5 minutes of the server's clock. Signatures may repeat: whether a call is a retry is decided by its idempotency key alone, so each new call needs a new key.

## Paging

A list answers \`pagination: { limit, has_more, next_cursor }\`. Send \`cursor\` with \`next_cursor\` for the next page, as long as \`has_more\` is true. A cursor is opaque and good for one list of one store; new records neither repeat nor hide others.

Reads carry an \`ETag\`: send it as \`If-None-Match\` and an unchanged answer is 304 without a body. \`fields\` shortens an answer to the fields it names.

## Limits

A plan allows so many requests an hour and a day for each key, and so many a month for the store. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` tell of the window with the least left. Past it: 429 \`rate_limited\` with \`Retry-After\`; past the month: 429 \`quota_exceeded\`. Signing in, one-time codes and the like are limited to 10 a minute for each client address; a server that calls for shoppers names theirs in \`X-Shopper-IP\`. A body has at most 1 MiB unless said, and 15 seconds to arrive (408).
`;
