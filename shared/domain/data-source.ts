import { normaliseName } from './names.ts';
import type { FormatTime, Instant } from './time.ts';

export type DataSource = {
  id: string;
  dataSourceName: string;
  dataSourceDesc: string;
  createTime: Instant;
  updateTime: Instant | null;
};

export type DataSourceInput = { dataSourceName: string; dataSourceDesc?: string };

export const createDataSource = (input: DataSourceInput, id: string, now: Instant): DataSource => ({
  id,
  dataSourceName: normaliseName('dataSourceName', input.dataSourceName),
  dataSourceDesc: input.dataSourceDesc ?? '',
  createTime: now,
  updateTime: null,
});

export const changeDataSource = (
  dataSource: DataSource,
  changes: Partial<DataSourceInput>,
  now: Instant,
): DataSource => ({
  ...dataSource,
  dataSourceName:
    changes.dataSourceName === undefined
      ? dataSource.dataSourceName
      : normaliseName('dataSourceName', changes.dataSourceName),
  dataSourceDesc: changes.dataSourceDesc ?? dataSource.dataSourceDesc,
  updateTime: now,
});

export const dataSourceView = (dataSource: DataSource, contactCount: number, format: FormatTime) => ({
  id: dataSource.id,
  dataSourceName: dataSource.dataSourceName,
  dataSourceDesc: dataSource.dataSourceDesc,
  contactCount,
  createTime: format(dataSource.createTime),
  updateTime: dataSource.updateTime === null ? null : format(dataSource.updateTime),
});
