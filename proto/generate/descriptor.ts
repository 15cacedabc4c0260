// Lists protobuf-es' descriptors of our files, for callers that speak binary protobuf.
import type { Contract } from './contract.ts';
import { heading } from './direction.ts';

export const descriptorsOf = ({ files }: Contract): string =>
  `${[
    heading('stoa/v1/*.proto'),
    "import type { GenFile } from '@bufbuild/protobuf/codegenv2';",
    ...files.map(({ name }) => `import { file_stoa_v1_${name} } from './es/stoa/v1/${name}_pb.ts';`),
    '',
    `export const descriptors: readonly GenFile[] = [${files.map(({ name }) => `file_stoa_v1_${name}`).join(', ')}];`,
  ].join('\n')}\n`;
