// `stoa listen`: the events of a sandbox, on a developer's machine.
import { define } from './command.ts';
import { listen } from './listen.ts';
import { SetupError } from './local/child.ts';
import { SANDBOX_OPTIONS, sandboxAccess } from './sandbox_access.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

export const listenCommand = define({
  name: 'listen',
  description: "Send a sandbox's events on to a URL, as webhooks, until stopped",
  args: {
    'forward-to': {
      type: 'string',
      description: 'Where to send each; left out, they are only told of',
      valueHint: 'http://localhost:3000/webhooks',
    },
    events: { type: 'string', description: 'Only these types', valueHint: 'order.created,order.paid' },
    ...SANDBOX_OPTIONS,
    json: { type: 'boolean', description: 'Print one line of JSON an event and nothing else' },
  },
  run: async ({ 'forward-to': forwardTo, events, key, url, json }) => {
    if (forwardTo !== undefined && !URL.canParse(forwardTo))
      throw new SetupError(`--forward-to must be a URL, not "${forwardTo}".`);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
    const access = sandboxAccess({ key, url });
    await listen({
      ...access,
      forwardTo: forwardTo ?? null,
      types: (events ?? '')
        .split(',')
        .map((type) => type.trim())
        .filter(Boolean),
      signal: stop.signal,
      ready: (secret) =>
        print(
          json
            ? JSON.stringify({ ready: true, signing_secret: secret })
            : `Listening to the sandbox at ${access.baseUrl}. They are signed with ${secret}`,
        ),
      told: (event, outcome) => {
        if (json) return print(JSON.stringify({ id: event.id, type: event.type, ...outcome }));
        const end = outcome === null ? '' : `  → ${outcome.status ?? outcome.error}`;
        print(`${event.created_at}  ${event.type}  ${event.id}${end}`);
      },
      trouble: (sentence) => void process.stderr.write(`${sentence}; trying again.\n`),
    });
    process.exit(0);
  },
});
