// Loads the proto descriptors on first use, for unary calls and reflection: decoding takes a quarter of a second of
// processor time, and edges do not need them.
import type { FileRegistry } from '@bufbuild/protobuf';
import type { ServiceRegistry } from '#runtime/grpc/registry.ts';

export const descriptors = async (): Promise<FileRegistry> => (await import('#proto/descriptor.ts')).descriptors;

const read = async (): Promise<ServiceRegistry> => {
  const [{ ServiceRegistry }, files] = await Promise.all([import('#runtime/grpc/registry.ts'), descriptors()]);
  return new ServiceRegistry(files);
};

let reading: Promise<ServiceRegistry> | undefined;

export const contract = (): Promise<ServiceRegistry> => {
  reading ??= read();
  return reading;
};
