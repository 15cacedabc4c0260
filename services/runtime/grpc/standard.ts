// The two services that gRPC itself defines: health, which probes ask without a token, and reflection, by which tools
// learn what is served.
import { Buffer } from 'node:buffer';
import type { DescFile } from '@bufbuild/protobuf';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';

type Server = Parameters<ReflectionService['addToServer']>[0];
type Methods = Parameters<Server['addService']>[1];

/** The whole server's own name in the health service. */
const WHOLE = '';

/**
 * The files as the reflection service reads them: it decodes all files of every definition, so one definition names them
 * all (a definition a message, as a loader makes them, takes 2 s).
 */
const packageOf = async (files: Iterable<DescFile>): Promise<PackageDefinition> => {
  const [{ toBinary }, { FileDescriptorProtoSchema }] = await Promise.all([
    import('@bufbuild/protobuf'),
    import('@bufbuild/protobuf/wkt'),
  ]);
  const fileDescriptorProtos = Array.from(files, ({ proto }) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, proto)),
  );
  return { files: { format: 'Protocol Buffer 3 EnumDescriptorProto', type: {}, fileDescriptorProtos } };
};

export interface Health {
  /** Tells all probes and watchers that nothing new should come. */
  drain(): void;
}

interface Added {
  readonly definition: Parameters<Server['addService']>[0];
  readonly methods: Methods;
}

/** What the package would add to a server, one for each version of the protocol. */
const reflectionOf = (shown: PackageDefinition, services: readonly string[]): readonly Added[] => {
  const added: Added[] = [];
  const server: Pick<Server, 'addService'> = {
    addService: (definition, methods) => void added.push({ definition, methods }),
  };
  new ReflectionService(shown, { services: [...services] }).addToServer(server as Server);
  return added;
};

type Files = () => Promise<Iterable<DescFile>>;

/**
 * Takes in all files when it is first asked: 0.4 s of processor time, a fifth of a host's start, for what a person with a tool
 * asks now and then.
 */
const lateReflection = (files: Files, services: readonly string[]): readonly Added[] => {
  let whole: Promise<readonly Added[]> | undefined;
  const read = async (): Promise<readonly Added[]> => reflectionOf(await packageOf(await files()), services);
  return reflectionOf({}, []).map(({ definition, methods }, version) => {
    const late = (name: string) => async (call: unknown) => {
      whole ??= read();
      Reflect.apply((await whole)[version]!.methods[name]!, null, [call]);
    };
    return { definition, methods: Object.fromEntries(Object.keys(methods).map((name) => [name, late(name)])) };
  });
};

/** Adds both to a server. `guard` wraps the methods of the one that is not open to all. */
export const addStandardServices = (
  server: Server,
  files: Files,
  services: readonly string[],
  guard: (methods: Methods) => Methods,
): Health => {
  const names = [WHOLE, ...services];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'SERVING'])));
  health.addToServer(server);
  for (const { definition, methods } of lateReflection(files, services)) server.addService(definition, guard(methods));
  return {
    drain: () => {
      for (const name of names) health.setStatus(name, 'NOT_SERVING');
    },
  };
};
