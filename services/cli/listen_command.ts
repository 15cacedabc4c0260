// `stoa listen`: forwards a sandbox's events to a developer's machine.
import { define } from './command.ts';
import { listen } from './listen.ts';
import { SetupError } from './local/child.ts';
import { SANDBOX_OPTIONS, sandboxAccess } from './sandbox_access.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

export const listenCommand = define({
  name: 'listen',
  description: "Forwards a sandbox's events to a URL as webhooks, until stopped",
  args: {
    'forward-to': {
      type: 'string',
      description: 'The URL that receives each event; without it they are only printed',
      valueHint: 'http://localhost:3000/webhooks',
    },
    events: { type: 'string', description: 'Forwards these types only', valueHint: 'order.created,order.paid' },
    ...SANDBOX_OPTIONS,
    json: { type: 'boolean', description: 'Prints one line of JSON for each event' },
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
      onReady: (secret) =>
        print(
          json
            ? JSON.stringify({ ready: true, signing_secret: secret })
            : `Listening to the sandbox at ${access.baseUrl}. The signing secret is ${secret}`,
        ),
      onEvent: (event, outcome) => {
        if (json) return print(JSON.stringify({ id: event.id, type: event.type, ...outcome }));
        const end = outcome === null ? '' : `  → ${outcome.status ?? outcome.error}`;
        print(`${event.created_at}  ${event.type}  ${event.id}${end}`);
      },
      onTrouble: (sentence) => void process.stderr.write(`${sentence}; retrying.\n`),
    });
    process.exit(0);
  },
});
