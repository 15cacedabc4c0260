// The two services that gRPC itself defines: health, which probes ask without a token, and reflection, by which tools
// learn what is served.
import { Buffer } from 'node:buffer';
import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';

type Server = Parameters<ReflectionService['addToServer']>[0];
type Methods = Parameters<Server['addService']>[1];

/** The whole server's own name in the health service. */
const WHOLE = '';

/**
 * The files and those that they import, as the reflection service reads them: it decodes all files of every definition, so
 * one definition names them all (a definition a message, as a loader makes them, takes 2 s).
 */
const packageOf = (files: readonly DescFile[]): PackageDefinition => {
  const all = new Map<string, Buffer>();
  const take = (file: DescFile): void => {
    if (all.has(file.name)) return;
    all.set(file.name, Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
    file.dependencies.forEach(take);
  };
  files.forEach(take);
  const fileDescriptorProtos = [...all.values()];
  return { files: { format: 'Protocol Buffer 3 EnumDescriptorProto', type: {}, fileDescriptorProtos } };
};

export interface Health {
  /** Tells all probes and watchers that nothing new should come. */
  drain(): void;
}

/** Adds both to a server. `guard` wraps the methods of the one that is not open to all. */
export const addStandardServices = (
  server: Server,
  files: readonly DescFile[],
  services: readonly string[],
  guard: (methods: Methods) => Methods,
): Health => {
  const names = [WHOLE, ...services];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'SERVING'])));
  health.addToServer(server);
  const guarded: Pick<Server, 'addService'> = {
    addService: (definition, methods) => server.addService(definition, guard(methods)),
  };
  new ReflectionService(packageOf(files), { services: [...services] }).addToServer(guarded as Server);
  return {
    drain: () => {
      for (const name of names) health.setStatus(name, 'NOT_SERVING');
    },
  };
};
