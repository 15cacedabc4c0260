// Writes the guide of error messages from the source: all refusals of services and edge, side by side.
//
// Usage: npm run messages              write the guide
//        npm run check -- messages     fail when it is not fresh
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messagesIn, messageTables } from './support/message_table.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = 'edge/pages/guide/error_messages.md';

const HEAD = `# Error messages

For developers of storefronts and servers: the message of every refusal, by its [code](errors.md#error-codes). \`{…}\` stands for a
value of the request or of the store. A message such as "No such order." also names the requested id if it is a UUID. Messages
of a field's schema, such as "\`price\` must be a number.", are left out. Messages may change: programs decide by \`code\` and
\`param\`.
`;

const sources = ['services', 'edge']
  .flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${ROOT}${folder}/${name}`),
  )
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.endsWith('/shared_refusal.ts'))
  .sort()
  .map((path) => readFileSync(path, 'utf8'));

const text = `${HEAD}\n${messageTables(messagesIn(sources))}`;
if (process.argv.includes('--check')) {
  if (readFileSync(ROOT + GUIDE, 'utf8') !== text) {
    console.error(`${GUIDE} is not fresh: npm run messages`);
    process.exit(1);
  }
} else writeFileSync(ROOT + GUIDE, text);
