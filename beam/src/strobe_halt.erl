%% @doc A last word before the VM halts.
%%
%% `halt()' and `halt(Status)' end the VM on the spot: no process is told, so nothing can be collected any more. Both
%% are short Erlang functions of the module `erlang' that call the BIF `halt/2'. This module loads a copy of `erlang'
%% in which that one call goes to {@link halt/2} here. Only for a VM that was started to be measured.
%%
%% A program that calls `halt/2' itself, with options, goes unnoticed.
-module(strobe_halt).

-export([before/1, nevermind/0, halt/2]).

%% @doc Have `Fun' run once, in the process that halts, before the VM does.
-spec before(fun(() -> term())) -> ok | {error, term()}.
before(Fun) ->
    persistent_term:put(?MODULE, Fun),
    case code:get_object_code(erlang) of
        {erlang, Beam, File} -> load(fun() -> redirect(Beam) end, File);
        error                -> {error, no_object_code}
    end.

%% @doc Put things back. A VM that stops with a status unloads every module but `erlang' and a few, this one too,
%% before it halts.
-spec nevermind() -> ok | {error, term()}.
nevermind() ->
    case code:get_object_code(erlang) of
        {erlang, Beam, File} -> load(fun() -> true = code:soft_purge(erlang), Beam end, File);
        error                -> {error, no_object_code}
    end.

%% @private
halt(Status, Options) ->
    Fun = persistent_term:get(?MODULE),
    try Fun() catch _:_ -> ok end,
    erlang:halt(Status, Options).

load(Get, File) ->
    try
        Beam = Get(),
        Sticky = code:is_sticky(erlang),
        true = code:unstick_mod(erlang),
        {module, erlang} = code:load_binary(erlang, File, Beam),
        _ = Sticky andalso code:stick_mod(erlang),
        ok
    catch
        error:Reason -> {error, Reason}
    end.

%% The import of erlang:halt/2 becomes one of ?MODULE:halt/2; nothing else is touched.
redirect(Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {ok, {erlang, [{atoms, Atoms}]}} = beam_lib:chunks(Beam, [atoms]),
    {Erlang, _} = lists:keyfind(erlang, 2, Atoms),
    {Halt, _} = lists:keyfind(halt, 2, Atoms),
    {Name, AtomChunk} = atom_chunk(Chunks),
    {Us, MoreAtoms} = add_atom(AtomChunk, atom_to_binary(?MODULE)),
    {_, Imports} = lists:keyfind("ImpT", 1, Chunks),
    Redirected = iolist_to_binary(imports(Imports, {Erlang, Halt, 2}, Us)),
    true = Redirected =/= Imports,
    With = lists:keyreplace(Name, 1, Chunks, {Name, iolist_to_binary(MoreAtoms)}),
    {ok, Changed} = beam_lib:build_module(lists:keyreplace("ImpT", 1, With, {"ImpT", Redirected})),
    Changed.

%% Binaries are not matched here: what the compiler of OTP 25 makes of that is not loaded by OTP 29. A number of imports,
%% then three numbers each.
imports(Chunk, Old, Us) ->
    [binary:part(Chunk, 0, 4) | [<<(module(Import, Old, Us)):32, F:32, A:32>> || {_, F, A} = Import <- imports(Chunk, 4)]].

imports(Chunk, At) when At >= byte_size(Chunk) -> [];
imports(Chunk, At) -> [{number(Chunk, At), number(Chunk, At + 4), number(Chunk, At + 8)} | imports(Chunk, At + 12)].

number(Chunk, At) -> binary:decode_unsigned(binary:part(Chunk, At, 4)).

module(Import, Import, Us) -> Us;
module({M, _, _}, _, _)    -> M.

atom_chunk(Chunks) -> lists:keyfind("AtU8", 1, Chunks).

%% The atom table holds each atom with its length. From OTP 28 its count is negative and lengths are packed, those
%% below 16 into the upper half of a byte.
add_atom(Chunk, Name) when byte_size(Name) < 16 ->
    Atoms = binary:part(Chunk, 4, byte_size(Chunk) - 4),
    case number(Chunk, 0) of
        Count when Count < 1 bsl 31 -> {Count + 1, [<<(Count + 1):32>>, Atoms, byte_size(Name), Name]};
        Packed                      -> {(1 bsl 32) - Packed + 1, [<<(Packed - 1):32>>, Atoms, byte_size(Name) bsl 4, Name]}
    end.
