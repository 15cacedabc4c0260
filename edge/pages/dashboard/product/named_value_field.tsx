// Fields of named values: attributes, and the lines of a product's specifications.
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Note, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import { addLine, type NamedValue, type SpecificationLine } from './named_value.ts';

interface ListFieldProps<Item> {
  readonly value: readonly Item[];
  readonly change: (value: readonly Item[]) => void;
  readonly problem: string | undefined;
}

const changedAt = <Item,>(list: readonly Item[], at: number, part: Partial<Item>): readonly Item[] =>
  list.map((each, index) => (index === at ? { ...each, ...part } : each));

const Refusal = ({ problem }: { readonly problem: string | undefined }) =>
  problem ? (
    <div role="alert">
      <Note tone="no">{problem}</Note>
    </div>
  ) : null;

export const AttributeFields = ({ value, change, problem }: ListFieldProps<NamedValue>) => (
  <Sheet title="Attributes">
    <p class="soft">What shoppers filter by: material, season, colour.</p>
    {value.map((each, at) => (
      <div key={at} class="pair">
        <TextField
          label={`Attribute ${at + 1}`}
          value={each.name}
          change={(name) => change(changedAt(value, at, { name }))}
        />
        <TextField
          label={`Value ${at + 1}`}
          value={each.value}
          change={(text) => change(changedAt(value, at, { value: text }))}
        />
        <IconButton
          icon="remove"
          label={`Remove attribute ${each.name || at + 1}`}
          press={() => change(value.filter((_, index) => index !== at))}
        />
      </div>
    ))}
    <Refusal problem={problem} />
    <div class="row">
      <Button icon="add" press={() => change([...value, { name: '', value: '', isText: true }])}>
        Add an attribute
      </Button>
    </div>
  </Sheet>
);

interface PlacedLine {
  readonly line: SpecificationLine;
  readonly at: number;
}

export const SpecificationFields = ({ value, change, problem }: ListFieldProps<SpecificationLine>) => {
  const placed = value.map((line, at): PlacedLine => ({ line, at }));
  return (
    <Sheet title="Specifications">
      <p class="soft">Technical data, in the order in which the shop lists them.</p>
      {placed.length > 0 && (
        <DragList
          label="Specifications in order"
          items={placed}
          idOf={({ line }) => line.key}
          nameOf={({ line, at }) => line.name || `line ${at + 1}`}
          move={(lines) => change(lines.map(({ line }) => line))}
        >
          {({ line, at }) => (
            <div class="pair specification">
              <TextField
                label={`Group ${at + 1}`}
                value={line.group}
                change={(group) => change(changedAt(value, at, { group }))}
              />
              <TextField
                label={`Name ${at + 1}`}
                value={line.name}
                change={(name) => change(changedAt(value, at, { name }))}
              />
              <TextField
                label={`Value ${at + 1}`}
                value={line.value}
                change={(text) => change(changedAt(value, at, { value: text }))}
              />
              <TextField
                label={`Unit ${at + 1}`}
                value={line.unit}
                change={(unit) => change(changedAt(value, at, { unit }))}
              />
              <IconButton
                icon="remove"
                label={`Remove line ${line.name || at + 1}`}
                press={() => change(value.filter((_, index) => index !== at))}
              />
            </div>
          )}
        </DragList>
      )}
      <Refusal problem={problem} />
      <div class="row">
        <Button icon="add" press={() => change(addLine(value))}>
          Add a line
        </Button>
      </div>
    </Sheet>
  );
};
