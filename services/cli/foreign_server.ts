// Checks the servers that the user runs before the system starts.
import { SetupError } from './local/child.ts';
import { natsGreeting } from './local/nats.ts';
import { isAtLeast, NATS_MIN } from './local/nats_binary.ts';
import { postgresAnswers } from './local/postgres.ts';

export const checkDatabase = async (url: string): Promise<void> => {
  const place = placeOf(url, 5432);
  if (place && !(await postgresAnswers(place.host, place.port)))
    throw new SetupError(`No Postgres answers at ${place.host}:${place.port}. Check DATABASE_URL.`);
};

export const checkBroker = async (url: string): Promise<void> => {
  for (const part of url.split(',')) {
    const place = placeOf(part.trim(), 4222);
    const greeting = place === null ? '' : await natsGreeting(place.host, place.port);
    if (greeting === '') continue;
    const version = /"version":"([^"]+)"/.exec(greeting)?.[1] ?? '0.0.0';
    if (isAtLeast(version, NATS_MIN)) return;
    throw new SetupError(`NATS_URL leads to nats-server ${version}. Stoa requires ${NATS_MIN} or newer.`);
  }
  throw new SetupError('No nats-server answers at NATS_URL. Check its address.');
};

const placeOf = (url: string, port: number): { host: string; port: number } | null => {
  try {
    const { hostname, port: named } = new URL(url.replace(/^[a-z]+:/, 'http:'));
    return hostname ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(named || port) } : null;
  } catch {
    return null;
  }
};
