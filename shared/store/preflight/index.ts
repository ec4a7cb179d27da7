export { PreflightReader } from './preflight-reader.ts';
