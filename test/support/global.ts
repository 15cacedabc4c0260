// Runs once around all tests: starts the servers they share and stops them afterwards.
import { startServers } from './server.ts';

export const setup = async (): Promise<() => Promise<void>> => {
  // The processor is always busy during tests: logins with a lower priority would miss their callers' deadlines.
  process.env.STOA_HASH_NICENESS = '0';
  // Tests that read files alone take half of their time for starting what they do not ask.
  if (process.env.STOA_TEST_SERVERS === 'none') return async () => {};
  return startServers();
};
