import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { t } from './languages/translate.ts';
import { CALENDAR_FORMATS, DATE_INPUT_FORMATS, DECIMAL_SEPARATOR, TIME_INPUT_FORMATS } from './shared/locale.ts';

const water: MantineColorsTuple = [
  '#eff7f9',
  '#dfecf0',
  '#b9d8e1',
  '#90c2d1',
  '#6eb0c3',
  '#589fb5',
  '#3f8ba2',
  '#2c778d',
  '#1d6478',
  '#0d5063',
];

const night: MantineColorsTuple = [
  '#d5dde0',
  '#aeb9bd',
  '#909da2',
  '#647278',
  '#3f4b50',
  '#333e42',
  '#263034',
  '#181e20',
  '#14191b',
  '#0f1314',
];

/** The heading of a dialog is not a banner landmark. */
const dialog = { closeButtonProps: { 'aria-label': t('Close') }, attributes: { header: { role: 'presentation' } } };

/** The list of options scrolls itself: an area within it would be one that the keyboard does not reach. */
const LIST = { options: { maxHeight: 220, overflowY: 'auto' } } as const;

const clearable = { clearButtonProps: { 'aria-label': t('Clear') } };
const chooser = { defaultProps: { ...clearable, withScrollArea: false }, styles: LIST };

const calendar = {
  // Their colors do not have enough contrast.
  hideOutsideDates: true,
  weekendDays: [],
  ariaLabels: {
    previousMonth: t('Previous month'),
    nextMonth: t('Next month'),
    previousYear: t('Previous year'),
    nextYear: t('Next year'),
    previousDecade: t('Previous decade'),
    nextDecade: t('Next decade'),
  },
};

export const theme = createTheme({
  primaryColor: 'water',
  primaryShade: { light: 8, dark: 7 },
  colors: { water, dark: night },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '620',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' } },
  },
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 500 } },
    TableScrollContainer: { defaultProps: { type: 'native' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Modal: { defaultProps: { ...dialog, centered: true, radius: 'lg' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
    Drawer: { defaultProps: dialog },
    NumberInput: { defaultProps: { decimalSeparator: DECIMAL_SEPARATOR, allowedDecimalSeparators: ['.', ','] } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('Show the password') } } },
    // It can be focused although it is not an item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: {
      ...chooser,
      defaultProps: {
        ...chooser.defaultProps,
        // By default only the mouse clears it.
        clearButtonProps: { ...clearable.clearButtonProps, tabIndex: 0, 'aria-hidden': false },
        allowDeselect: false,
      },
    },
    MultiSelect: chooser,
    TagsInput: chooser,
    Autocomplete: chooser,
    DateInput: { defaultProps: { ...clearable, ...calendar, ...DATE_INPUT_FORMATS } },
    DateTimePicker: {
      defaultProps: {
        ...clearable,
        ...calendar,
        ...TIME_INPUT_FORMATS,
        popoverProps: { attributes: { dropdown: { 'aria-label': t('Date and time') } } },
        submitButtonProps: { 'aria-label': t('Apply') },
      },
    },
    DatePicker: { defaultProps: { ...calendar, ...CALENDAR_FORMATS } },
    Pill: { defaultProps: { removeButtonProps: { 'aria-label': t('Remove') } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
});

/** Dimmed text and errors with a contrast of at least 4.5:1 on every background they appear on. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c6a70',
    '--mantine-color-placeholder': '#687479',
    '--mantine-color-error': '#b3372c',
    '--mantine-color-teal-light-color': '#0a6448',
    '--mantine-color-orange-light-color': '#9a4300',
    '--mantine-color-yellow-light-color': '#7a4d00',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa8ad',
    '--mantine-color-placeholder': '#93a1a6',
    '--mantine-color-error': '#f08d80',
  },
});
