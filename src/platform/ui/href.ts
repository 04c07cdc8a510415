/** A path with a query of the values that are set; empty texts are left out. */
export function href(
  path: string,
  query: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
