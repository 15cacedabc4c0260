// Reads the options beside messages, fields, rpcs and services.
import {
  createRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  toJson,
} from '@bufbuild/protobuf';

type Described = DescField | DescMessage | DescMethod | DescService;

/** `read(method, 'stoa.access')`: the option as plain JSON with proto names, or undefined where it is not set. */
export type ReadOption = (of: Described, name: string) => unknown;

export const optionReader = (files: readonly DescFile[]): ReadOption => {
  const registry = createRegistry(...files);
  return (of, name) => {
    const extension = registry.getExtension(name);
    // biome-ignore lint/suspicious/noExplicitAny: which descriptor an option extends is known from its proto file only
    if (!extension || !hasOption(of, extension as any)) return undefined;
    // biome-ignore lint/suspicious/noExplicitAny: the same
    const value = getOption(of, extension as any) as never;
    if (extension.message) {
      const { message } = extension;
      const plain = (one: never): unknown => toJson(message, one, { registry, useProtoFieldName: true });
      return extension.fieldKind === 'list' ? (value as never[]).map(plain) : plain(value);
    }
    if (extension.enum) return extension.enum.value[value]?.name;
    return value;
  };
};
