import { Group, Input } from '@mantine/core';
import { t } from '../../languages/translate.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { defineFieldType, inputProps } from '../definition.ts';

/** Either coordinate may be missing while the other is typed. */
interface Point {
  lat?: number | string | undefined;
  lng?: number | string | undefined;
}

export const point = defineFieldType<Point>({
  label: t('Place'),
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  Input(props) {
    const { value = {}, onChange, errors, pointer } = props;
    const { label, error, description, withAsterisk } = inputProps(props);
    const set = (part: Point) => {
      const next = { ...value, ...part };
      onChange(next.lat === undefined && next.lng === undefined ? undefined : next);
    };
    return (
      <Input.Wrapper {...{ label, description, withAsterisk, error }} labelElement="div">
        <Group grow>
          <NumberField
            label={t('Latitude')}
            value={value.lat}
            onChange={(lat) => set({ lat })}
            error={errors.get(`${pointer}/lat`)}
          />
          <NumberField
            label={t('Longitude')}
            value={value.lng}
            onChange={(lng) => set({ lng })}
            error={errors.get(`${pointer}/lng`)}
          />
        </Group>
      </Input.Wrapper>
    );
  },
  format: ({ lat, lng }) => `${lat ?? ''}, ${lng ?? ''}`,
  filter: { operators: ['exists'] },
  csv: { canMatch: false, formats: [] },
});
