// SPDX-License-Identifier: Apache-2.0
#include "CLibPQ.h"

#include "CLazy.h"

static struct lazy_library pq = {.name = "libpq.so.5"};

// Versions before 14 cannot send several statements at once.
bool libpq_load(void) { return lazy_library_has(&pq, "PQenterPipelineMode"); }

#define PQ(result, name, parameters, arguments) LAZY_FUNCTION(&pq, result, name, parameters, arguments)

// Connections.
PQ(PGconn *, PQconnectdbParams,
   (const char *const *keywords, const char *const *values, int expand_dbname),
   (keywords, values, expand_dbname))
PQ(void, PQfinish, (PGconn * conn), (conn))
PQ(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), (conninfo, errmsg))
PQ(void, PQconninfoFree, (PQconninfoOption * connOptions), (connOptions))
PQ(ConnStatusType, PQstatus, (const PGconn *conn), (conn))
PQ(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), (conn))
PQ(const char *, PQparameterStatus, (const PGconn *conn, const char *paramName), (conn, paramName))
PQ(int, PQbackendPID, (const PGconn *conn), (conn))
PQ(int, PQsocket, (const PGconn *conn), (conn))
PQ(char *, PQerrorMessage, (const PGconn *conn), (conn))
PQ(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn * conn, PQnoticeProcessor proc, void *arg),
   (conn, proc, arg))
PQ(int, PQconsumeInput, (PGconn * conn), (conn))
PQ(PGnotify *, PQnotifies, (PGconn * conn), (conn))
PQ(void, PQfreemem, (void *ptr), (ptr))

// Statements.
PQ(PGresult *, PQexec, (PGconn * conn, const char *query), (conn, query))
PQ(int, PQenterPipelineMode, (PGconn * conn), (conn))
PQ(int, PQexitPipelineMode, (PGconn * conn), (conn))
PQ(int, PQpipelineSync, (PGconn * conn), (conn))
PQ(int, PQsendQueryParams,
   (PGconn * conn, const char *command, int nParams, const Oid *paramTypes,
    const char *const *paramValues, const int *paramLengths, const int *paramFormats, int resultFormat),
   (conn, command, nParams, paramTypes, paramValues, paramLengths, paramFormats, resultFormat))
PQ(int, PQsendPrepare,
   (PGconn * conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes),
   (conn, stmtName, query, nParams, paramTypes))
PQ(int, PQsendDescribePrepared, (PGconn * conn, const char *stmt), (conn, stmt))
PQ(int, PQsendQueryPrepared,
   (PGconn * conn, const char *stmtName, int nParams, const char *const *paramValues,
    const int *paramLengths, const int *paramFormats, int resultFormat),
   (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat))
PQ(PGresult *, PQgetResult, (PGconn * conn), (conn))

// Results.
PQ(ExecStatusType, PQresultStatus, (const PGresult *res), (res))
PQ(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode))
PQ(int, PQntuples, (const PGresult *res), (res))
PQ(int, PQnfields, (const PGresult *res), (res))
PQ(Oid, PQftype, (const PGresult *res, int field_num), (res, field_num))
PQ(char *, PQcmdStatus, (PGresult * res), (res))
PQ(char *, PQcmdTuples, (PGresult * res), (res))
PQ(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))
PQ(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))
PQ(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))
PQ(int, PQnparams, (const PGresult *res), (res))
PQ(Oid, PQparamtype, (const PGresult *res, int param_num), (res, param_num))
PQ(void, PQclear, (PGresult * res), (res))
