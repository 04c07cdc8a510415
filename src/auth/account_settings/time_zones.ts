/** The names of all time zones, such as Europe/Berlin, in alphabetical order, including UTC. */
export const timeZones = (): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
