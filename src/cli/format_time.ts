/** A time in UTC to the minute: `2030-01-31 12:00`; the fallback for no time. */
export const formatTime = (time: Date | null | undefined, fallback = ''): string =>
  time?.toISOString().slice(0, 16).replace('T', ' ') ?? fallback
