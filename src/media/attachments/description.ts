/** A description as it is stored: null when it is blank. */
export const descriptionOf = (text: string | undefined): string | null => text?.trim() || null
