/** The categories of reports. */
export const REPORT_CATEGORIES = ['spam', 'legal', 'violation', 'other'] as const

export type ReportCategory = (typeof REPORT_CATEGORIES)[number]
