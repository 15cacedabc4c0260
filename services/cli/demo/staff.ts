// Creates the staff accounts with which a visitor of the demo opens the dashboard of its stores and of its marketplace.
import type { Admin } from '#services/cli/admin.ts';
import { SetupError } from '#services/cli/local/child.ts';

export interface DemoStaff {
  readonly staff_email: string;
  readonly staff_password: string;
}

const NAME = 'Wanjiru Kamau';
const ACCEPT_TIMEOUT_MS = 20_000;

/** Draws the password of the account, which is stored beside the demo's keys before the account exists. */
export const newDemoStaff = (email: string): DemoStaff => ({
  staff_email: email,
  staff_password: Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url'),
});

/** Makes the account an owner of the store or the operator; does nothing if an earlier start has done it. */
export const employDemoStaff = async (
  admin: Pick<Admin, 'inviteStaff' | 'readStaff'>,
  baseUrl: string,
  store: string,
  { staff_email: email, staff_password: password }: DemoStaff,
): Promise<void> => {
  const { staff } = await admin.readStaff({ store });
  if (staff.some((member) => member.email === email)) return;
  const { link } = await admin.inviteStaff({ store, email, name: NAME, role: 'owner' });
  const answer = await fetch(`${baseUrl}/v1/staff/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).searchParams.get('token'), password }),
    signal: AbortSignal.timeout(ACCEPT_TIMEOUT_MS),
  });
  if (!answer.ok) throw new SetupError(`The demo's staff account was refused: ${await answer.text()}`);
};
