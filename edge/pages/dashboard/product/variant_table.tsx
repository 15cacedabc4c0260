// The matrix of a product's variants: a row each, with its options, price, stock and SKU.
import type { ScreenProblem } from '#edge/pages/dashboard/page.ts';
import { useStore } from '#edge/pages/dashboard/page.ts';
import { IconButton } from '#edge/pages/design/button.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { Table, type TableColumn } from '#edge/pages/design/table.tsx';
import { type MatrixRow, rowName } from './variant_matrix.ts';

interface VariantTableProps {
  readonly options: readonly string[];
  readonly rows: readonly MatrixRow[];
  readonly change: (rows: readonly MatrixRow[]) => void;
  readonly problem: ScreenProblem | null;
}

interface NumberCellProps {
  readonly label: string;
  readonly value: number | null;
  readonly step: number | 'any';
  readonly change: (value: number | null) => void;
  readonly invalid: boolean;
}

const NumberCell = ({ label, value, step, change, invalid }: NumberCellProps) => (
  <input
    class="input"
    type="number"
    inputMode="decimal"
    min={0}
    step={step}
    aria-label={label}
    aria-invalid={invalid ? 'true' : undefined}
    value={value ?? ''}
    onInput={({ currentTarget }) => change(currentTarget.value === '' ? null : Number(currentTarget.value))}
  />
);

export const VariantTable = ({ options, rows, change, problem }: VariantTableProps) => {
  const { currency } = useStore();
  const set = (row: MatrixRow, part: Partial<MatrixRow>): void =>
    change(rows.map((each) => (each === row ? { ...each, ...part } : each)));
  const isRefused = (row: MatrixRow, field: string): boolean =>
    problem?.param === `variants[${rows.indexOf(row)}].${field}`;
  const columns: readonly TableColumn<MatrixRow>[] = [
    {
      id: 'name',
      name: 'Variant',
      cell: (row) => <b>{options.map((name) => row.options[name] ?? '–').join(' / ') || rowName(row)}</b>,
    },
    {
      id: 'price',
      name: `Price, ${currency}`,
      cell: (row) => (
        <NumberCell
          label={`Price of ${rowName(row)}`}
          value={row.price}
          step="any"
          invalid={isRefused(row, 'price')}
          change={(price) => set(row, { price })}
        />
      ),
    },
    {
      id: 'sale',
      name: 'Sale price',
      desk: true,
      cell: (row) => (
        <NumberCell
          label={`Sale price of ${rowName(row)}`}
          value={row.sale_price}
          step="any"
          invalid={isRefused(row, 'sale_price')}
          change={(sale_price) => set(row, { sale_price })}
        />
      ),
    },
    {
      id: 'stock',
      name: 'Stock',
      cell: (row) => (
        <NumberCell
          label={`Stock of ${rowName(row)}`}
          value={row.stock}
          step={1}
          invalid={isRefused(row, 'stock')}
          change={(stock) => set(row, { stock })}
        />
      ),
    },
    {
      id: 'sku',
      name: 'SKU',
      cell: (row) => (
        <input
          class="input sku"
          aria-label={`SKU of ${rowName(row)}`}
          aria-invalid={isRefused(row, 'sku') ? 'true' : undefined}
          value={row.sku}
          onInput={({ currentTarget }) => set(row, { sku: currentTarget.value })}
        />
      ),
    },
    {
      id: 'default',
      name: 'Shown first',
      cell: (row) => (
        <input
          type="radio"
          name="default-variant"
          aria-label={`Show ${rowName(row)} first`}
          checked={row.isDefault}
          onChange={() => change(rows.map((each) => ({ ...each, isDefault: each === row })))}
        />
      ),
    },
    {
      id: 'remove',
      name: 'Remove',
      cell: (row) => (
        <IconButton
          icon="remove"
          label={`Remove ${rowName(row)}`}
          disabled={rows.length === 1}
          press={() => {
            const left = rows.filter((each) => each !== row);
            change(row.isDefault ? left.map((each, at) => ({ ...each, isDefault: at === 0 })) : left);
          }}
        />
      ),
    },
  ];
  return (
    <Sheet title="Variants" flush>
      <div class="matrix">
        <Table label="Variants" rows={rows} idOf={({ key }) => key} columns={columns} />
      </div>
    </Sheet>
  );
};
