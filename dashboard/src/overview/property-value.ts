/** The label of a value of a property. */
export const valueText = (value: string | null) => (value === null ? 'Not set' : value === '' ? 'Empty' : value);
