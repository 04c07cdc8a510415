/** Every time zone by its name, such as Europe/Berlin, in alphabetical order; UTC is among them. */
export const timeZones = (): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
