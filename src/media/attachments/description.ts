/** What is told of a file, as it is stored: null when that is nothing. */
export const descriptionOf = (given: string | undefined): string | null => given?.trim() || null
