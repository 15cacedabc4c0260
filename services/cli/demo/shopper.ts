// Shoppers of the demo shop; a developer can sign in to the sandbox as any of them.
import type { SignedIn } from '#proto/gen/customer.ts';
import type { Client } from './client.ts';

export interface DemoShopper {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  /** IP address that the shopper sends; sign-ins are limited per address. */
  readonly address: string;
}

export const DEMO_PASSWORD = 'karibu sana nyumbani';

export const ZAWADI: DemoShopper = {
  email: 'zawadi.kamau@example.com',
  first_name: 'Zawadi',
  last_name: 'Kamau',
  address: '198.51.100.11',
};

export const BRIAN: DemoShopper = {
  email: 'brian.otieno@example.com',
  first_name: 'Brian',
  last_name: 'Otieno',
  address: '198.51.100.12',
};

const shopper = (first_name: string, last_name: string, host: number): DemoShopper => ({
  email: `${first_name}.${last_name}@example.com`.toLowerCase(),
  first_name,
  last_name,
  address: `198.51.100.${host}`,
});

export const WANJIRU = shopper('Wanjiru', 'Njoroge', 21);
export const HASSAN = shopper('Hassan', 'Ali', 22);
export const GRACE = shopper('Grace', 'Mwangi', 23);
export const TOM = shopper('Tom', 'Hughes', 24);
export const AMINA = shopper('Amina', 'Juma', 25);
export const LUCIA = shopper('Lucia', 'Ferri', 26);

const BROWSER = 'Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

export interface DemoSession {
  readonly id: string;
  readonly api: Client;
}

export const signInShopper = async (
  api: Client,
  shopper: DemoShopper,
  password = DEMO_PASSWORD,
): Promise<DemoSession> => {
  const { email, first_name, last_name, address } = shopper;
  const server = api.with({ 'x-shopper-ip': address, 'x-shopper-user-agent': BROWSER });
  const known = { email, password };
  const { customer, session } = await server
    .post<SignedIn>('/v1/auth/register', { ...known, first_name, last_name })
    .catch(() => server.post<SignedIn>('/v1/auth/login', known));
  return { id: customer.id, api: api.with({ 'x-auth-token': session.access_token }) };
};
