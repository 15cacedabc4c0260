// Serves gRPC's standard health and reflection services. Health needs no token.
import { Buffer } from 'node:buffer';
import type { DescFile } from '@bufbuild/protobuf';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';

type Server = Parameters<ReflectionService['addToServer']>[0];
type Methods = Parameters<Server['addService']>[1];

const WHOLE = '';

/**
 * Returns one package that names all files, because reflection decodes all files again for each definition; a
 * definition for each message would take 2 s.
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
  drain(): void;
}

interface Added {
  readonly definition: Parameters<Server['addService']>[0];
  readonly methods: Methods;
}

const reflectionOf = (shown: PackageDefinition, services: readonly string[]): readonly Added[] => {
  const added: Added[] = [];
  const server: Pick<Server, 'addService'> = {
    addService: (definition, methods) => void added.push({ definition, methods }),
  };
  new ReflectionService(shown, { services: [...services] }).addToServer(server as Server);
  return added;
};

type Files = () => Promise<Iterable<DescFile>>;

/** Loads the files on the first request, because loading takes 0.4 s of processor time, a fifth of a host's start. */
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
