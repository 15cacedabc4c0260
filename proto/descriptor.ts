// The proto files' descriptors, for callers that speak binary protobuf.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** Reads a descriptor set as buf writes it. */
export const readDescriptors = (file: string | URL): FileRegistry =>
  createFileRegistry(fromBinary(FileDescriptorSetSchema, gunzipSync(readFileSync(file))));

export const descriptors = readDescriptors(new URL('./gen/descriptor.binpb.gz', import.meta.url));
