// What UCP platforms say of themselves.
import type { AssistantRpcs, ReadPlatformRequest, ReadPlatformResponse } from '#proto/gen/assistant.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { ReadPlatform } from '#services/assistant/platform.ts';

export const platformHandlers = (readPlatform: ReadPlatform): Pick<Handlers<AssistantRpcs>, 'ReadPlatform'> => ({
  ReadPlatform: read<ReadPlatformRequest, ReadPlatformResponse>((call, { profile, kid }) =>
    readPlatform(profile, call.tenant.environment, kid ?? null),
  ),
});
