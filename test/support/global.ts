// Runs once around all tests: starts the servers they share and stops them afterwards.
import { startServers } from './server.ts';

export const setup = async (): Promise<() => Promise<void>> => startServers();
