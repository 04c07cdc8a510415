const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A row of comma-separated values (RFC 4180), in the format that other servers import. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\n`
