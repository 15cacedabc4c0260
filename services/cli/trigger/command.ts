// `stoa trigger`: causes an event in a sandbox by calling the API that leads to the event.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypes } from '#proto/gen/event_table.ts';
import { define, JSON_OPTION, print } from '#services/cli/command.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { SANDBOX_OPTIONS, sandboxAccess } from '#services/cli/sandbox_access.ts';
import { ACTIONS } from './action.ts';
import { Sandbox, type SandboxAnswer } from './sandbox.ts';

const LOG_MS = 20_000;
const LOOK_MS = 250;

export const trigger = async (sandbox: Sandbox, type: string): Promise<SandboxAnswer> => {
  const action = ACTIONS[type];
  if (!action) {
    const others = Object.keys(ACTIONS).join(', ');
    throw new SetupError(
      Object.hasOwn(eventTypes, type)
        ? `Nothing in a sandbox causes ${type} by itself. What can be triggered: ${others}.`
        : `There is no event of the type "${type}". What can be triggered: ${others}.`,
    );
  }
  const query = `/v1/webhook-events?type=${type}`;
  let { position } = await sandbox.get(`${query}&follow=now`);
  await action(sandbox);
  for (const until = performance.now() + LOG_MS; performance.now() < until; await sleep(LOOK_MS)) {
    const { webhook_events: events, position: next } = await sandbox.get(`${query}&follow=${position}`);
    if (events.length > 0) return events.at(-1);
    position = next;
  }
  throw new SetupError(`The action was done, but no ${type} followed.`);
};

export const triggerCommand = define({
  name: 'trigger',
  description: 'Causes an event in a sandbox by the real action that it follows from',
  args: {
    type: { type: 'positional', description: 'The event’s type, such as order.paid', required: true },
    ...SANDBOX_OPTIONS,
    json: JSON_OPTION,
  },
  run: async ({ type, key, url, json }) => {
    const event = await trigger(new Sandbox(sandboxAccess({ key, url, wholesale: type.startsWith('b2b.') })), type);
    print(json, event, () => `${event.created_at}  ${event.type}  ${event.id}`);
  },
});
