// `stoa staff …`: invites people to the dashboard of a store or a marketplace operator, and lists its staff.
import { defineCommand } from 'citty';
import type { StaffInvitation, StaffMember } from '#proto/gen/staff.ts';
import { ROLES } from '#services/commerce/staff_role.ts';
import { administer, define, JSON_OPTION, print } from './command.ts';
import { SetupError } from './local/child.ts';

const EMPLOYER = {
  store: { type: 'string', description: "The store's id or code" },
  operator: { type: 'string', description: "Instead of a store: a marketplace operator's id" },
} as const;

const employerOf = ({ store, operator }: { readonly store?: string; readonly operator?: string }): string => {
  const named = [store, operator].filter((name) => name !== undefined);
  if (named.length !== 1) throw new SetupError('Name either --store or --operator.');
  return named[0]!;
};

const invite = define({
  name: 'invite',
  description: 'Mails a link that makes a staff account, and prints it',
  args: {
    ...EMPLOYER,
    email: { type: 'string', description: 'Address of the person', required: true },
    role: { type: 'enum', options: [...ROLES], description: `One of ${ROLES.join(', ')}`, required: true },
    name: { type: 'string', description: 'Name of the person' },
    json: JSON_OPTION,
  },
  run: async ({ email, role, name, json, ...employer }) => {
    const store = employerOf(employer);
    const invited = await administer((admin) =>
      admin.inviteStaff({ store, email, role, ...(name !== undefined && { name }) }),
    );
    print(json, invited, () => {
      const { email: address, role: offered, expires_at } = invited.invitation;
      return `${address} is invited as ${offered}. The link works once, until ${expires_at}:\n  ${invited.link}`;
    });
  },
});

const memberLine = ({ email, role, name, has_totp, last_signed_in_at }: StaffMember): [string, string] => [
  email,
  [
    role,
    name,
    has_totp && 'second factor',
    last_signed_in_at ? `last signed in ${last_signed_in_at}` : 'never signed in',
  ]
    .filter(Boolean)
    .join(', '),
];

const invitationLine = ({ email, role, expires_at }: StaffInvitation): [string, string] => [
  email,
  `${role}, invited until ${expires_at}`,
];

const list = define({
  name: 'list',
  description: 'Lists the staff of a store or an operator, and open invitations',
  args: { ...EMPLOYER, json: JSON_OPTION },
  run: async ({ json, ...employer }) => {
    const store = employerOf(employer);
    const found = await administer((admin) => admin.readStaff({ store }));
    print(json, found, () => {
      const lines = [...found.staff.map(memberLine), ...found.invitations.map(invitationLine)];
      const width = Math.max(...lines.map(([email]) => email.length));
      return lines.length === 0
        ? `There is no staff. Invite an owner: stoa staff invite ${'operator' in employer && employer.operator ? '--operator' : '--store'} ID --email ADDRESS --role owner`
        : lines.map(([email, state]) => `${email.padEnd(width)}  ${state}`).join('\n');
    });
  },
});

export const staff = defineCommand({
  meta: {
    name: 'staff',
    description: 'Invites people to the dashboard of a store or an operator, and lists its staff',
  },
  subCommands: { invite, list },
});
