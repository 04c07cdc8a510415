/** A description as it is stored: null when it is blank. */
export const descriptionOf = (given: string | undefined): string | null => given?.trim() || null
