import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../lib/settings/settings.ts';
import { everything, functionOf, only, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const plain = synthesized(production);
const dev = synthesized({ stage: 'dev' });

const idOf = (type: string) => resourcesOf(json, type)[0]![0];
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe('copies in another region or account', () => {
  it('are made of table and bucket each day, where the settings name a vault', () => {
    template.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          {
            TargetBackupVault: { 'Fn::GetAtt': [idOf('AWS::Backup::BackupVault'), 'BackupVaultName'] },
            CopyActions: [
              { DestinationBackupVaultArn: everything.backupCopyTo, Lifecycle: { DeleteAfterDays: 14 } },
            ],
          },
        ],
      },
    });
    template.hasResourceProperties('AWS::Backup::BackupSelection', {
      BackupSelection: { Resources: [arnOf(idOf('AWS::DynamoDB::Table')), arnOf(idOf('AWS::S3::Bucket'))] },
    });
    expect(resourcesOf(plain.json, 'AWS::Backup::BackupPlan')).toEqual([]);
  });

  it('outlive the stack', () => {
    expect(only(json, 'AWS::Backup::BackupVault').DeletionPolicy).toBe('Retain');
  });

  it('need a versioned bucket, whose deleted files are gone after a day', () => {
    const { VersioningConfiguration, LifecycleConfiguration } = only(json, 'AWS::S3::Bucket').Properties;
    expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect((LifecycleConfiguration as { Rules: object[] }).Rules).toContainEqual({
      Id: 'deleted',
      Status: 'Enabled',
      ExpiredObjectDeleteMarker: true,
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    });
    expect(only(plain.json, 'AWS::S3::Bucket').Properties.VersioningConfiguration).toBeUndefined();
  });
});

describe('a key of the customer', () => {
  const { kmsKeyArn } = everything;

  it('encrypts table, bucket, queues, logs and the vault', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: kmsKeyArn },
    });
    template.hasResourceProperties('AWS::S3::Bucket', {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: { KMSMasterKeyID: kmsKeyArn, SSEAlgorithm: 'aws:kms' },
          },
        ],
      },
    });
    const each = (type: string, name: string) =>
      resourcesOf(json, type).map(([, { Properties }]) => Properties[name]);
    expect(new Set(each('AWS::SQS::Queue', 'KmsMasterKeyId'))).toEqual(new Set([kmsKeyArn]));
    expect(new Set(each('AWS::Logs::LogGroup', 'KmsKeyId'))).toEqual(new Set([kmsKeyArn]));
    expect(each('AWS::Backup::BackupVault', 'EncryptionKeyArn')).toEqual([kmsKeyArn]);
    expect(JSON.stringify(plain.json)).not.toContain('kms:');
  });

  type Role = { Policies: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[] };
  const servicesOf = (id: string, from: StackTemplate = json) => {
    const [, { Properties }] = functionOf(from, id)!;
    const [role] = (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
    const { Policies } = from.Resources[role]!.Properties as unknown as Role;
    const found = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).find(({ Action }) =>
      [Action].flat().includes('kms:Decrypt'),
    );
    return ['dynamodb', 's3', 'sqs'].filter((service) => JSON.stringify(found ?? '').includes(`${service}.`));
  };

  it('may be used by each function through the services that it uses, and by no other', () => {
    expect(servicesOf('addTask')).toEqual(['dynamodb']);
    expect(servicesOf('batchImport')).toEqual(['dynamodb', 's3']);
    expect(servicesOf('importFile')).toEqual(['dynamodb', 's3', 'sqs']);
    expect(servicesOf('appendEvents')).toEqual(['dynamodb', 'sqs']);
    // The stream is encrypted with the key of the table.
    expect(servicesOf('publishEvents')).toEqual(['dynamodb', 'sqs']);
    expect(servicesOf('authorizeRequest')).toEqual([]);
  });
});

describe('throttled keys', () => {
  it('are counted at the table and its index, where a stage keeps its data', () => {
    const specification = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    plain.template.hasResourceProperties('AWS::DynamoDB::Table', {
      ContributorInsightsSpecification: specification,
      GlobalSecondaryIndexes: [{ ContributorInsightsSpecification: specification }],
    });
    expect(
      only(dev.json, 'AWS::DynamoDB::Table').Properties.ContributorInsightsSpecification,
    ).toBeUndefined();
  });
});

it.each([
  [{ kmsKeyArn: everything.kmsKeyArn.replace('west', 'east') }, 'kmsKeyArn: must be a key of eu-west-1'],
  [
    { backupCopyTo: 'arn:aws:backup:eu-west-1:123456789012:backup-vault:x' },
    'backupCopyTo: must be a vault in another region or account',
  ],
  [{ backupCopyTo: everything.backupCopyTo }, 'kmsKeyArn: is needed for copies into another account'],
  [{ keepCopiesDays: '7' }, 'backupCopyTo: is needed together with keepCopiesDays'],
])('the settings %j are refused in one line', (flags, words) => {
  expect(() => settingsFrom({ ...production, ...flags })).toThrow(words);
});

it('copies go into another region with keys of AWS', () => {
  const backupCopyTo = 'arn:aws:backup:eu-central-1:123456789012:backup-vault:copies';
  expect(settingsFrom({ ...production, backupCopyTo }).copies).toEqual({ vaultArn: backupCopyTo, days: 35 });
});
