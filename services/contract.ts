// The proto files as a host reads them for those who call it unary or ask what it serves: decoded when the first one does,
// since that takes a quarter of a second of processor time, and a host serves its edges without.
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
