/** Import of lists from other servers, as CSV. */
export { parseCsv } from './parse_csv.ts'
