/** A number with its unit: `1 row`, `2 rows`. */
export const formatCount = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
